// What to install, and whether versions go together: the engine's answer to a form, with the question in the address.
import { attach, command, link, list, part, speaker } from "./engine.js";
import { copy, make } from "./site.js";

const form = document.querySelector("form.ask");
const say = speaker(form);
const MARKS = { pass: "fits", fail: "conflict", unknown: "unknown" };
/** A value that nobody recorded is not shown as a release. */
const clean = (says) => says.replaceAll("CUDA ?", "CUDA").replaceAll("cuDNN ?", "cuDNN");

/** What is filled in, in the order of the form. */
function stated() {
  const filled = [...new FormData(form)].map(([key, value]) => [key, value.trim()]);
  return new URLSearchParams(filled.filter(([, value]) => value));
}

function fill(asked) {
  for (const control of form.elements) {
    if (control.type === "checkbox") control.checked = asked.getAll(control.name).includes(control.value);
    else if (control.name && control.type !== "button") control.value = asked.get(control.name) ?? "";
  }
  const boxes = [...form.querySelectorAll("[name=want]")].map((box) => box.value);
  const others = asked.getAll("want").filter((want) => !boxes.includes(want));
  form.elements.more.value = [form.elements.more.value, ...others].filter(Boolean).join(" ");
}

function question() {
  const state = stated();
  if (!state.size) return null;
  const wants = [...state.getAll("want"), ...(state.get("more") ?? "").split(/\s+/).filter(Boolean)];
  const gpus = (state.get("gpu") ?? "").split(",").map((gpu) => gpu.trim()).filter(Boolean);
  const out = { command: form.dataset.command, wants, gpus, lang: document.documentElement.lang };
  for (const key of ["os", "driver", "python", "cuda", "cudnn"]) if (state.has(key)) out[key] = state.get(key);
  return ["ask", JSON.stringify(out)];
}

const component = (c) => `${c.component}${c.extra ? `[${c.extra}]` : ""}${c.version ? ` ${c.version}` : ""}`;

function driver(need) {
  const lines = [
    ["ui-driver-least", need.minimum],
    ["ui-driver-native", need.native === need.minimum ? null : need.native],
    ["ui-driver-below", need.below],
    ["ui-driver-have", need.have],
  ];
  const told = lines.filter(([, version]) => version).map(([id, version]) => say(id, { version }));
  if (need.path) told.push(say(`ui-path-${need.path}`));
  return told.join(say("ui-semicolon"));
}

function stack(item) {
  const rows = [];
  for (const c of item.stack) {
    if (c.component === "python") {
      const accepts = (c.accepts ?? []).join(", ");
      const both = c.version && accepts;
      rows.push([say("ui-python"), both ? say("ui-accepts", { version: c.version, list: accepts }) : c.version ?? accepts]);
      continue;
    }
    rows.push([component(c), c.channel ? `${say("ui-from")} ${c.channel}` : ""]);
    for (const key of ["cuda", "cudnn"]) if (c[key] && c[key] !== "?") rows.push([say(`ui-${key}`), c[key]]);
    if (c.libraries) rows.push([say("ui-libraries"), say(`ui-libraries-${c.libraries}`)]);
  }
  if (item.driver) rows.push([say("ui-driver"), driver(item.driver)]);
  if (item.device_code?.runs) {
    const [kind, by = ""] = item.device_code.runs.split(" ");
    rows.push([say("ui-code"), say(`ui-runs-${kind}`, { by, capability: item.device_code.compute_capability })]);
  }
  const shown = rows.filter(([, text]) => text !== undefined && text !== null);
  const line = ([label, text]) => make("div", {}, make("dt", { textContent: label }), make("dd", { textContent: text }));
  return part(say("ui-stack"), ...(shown.length ? [make("dl", { className: "fields" }, ...shown.map(line))] : []));
}

function install(item, os) {
  const shell = os === "windows" ? "powershell" : "bash";
  const lines = item.install.filter((line) => line.shell === shell || line.shell === "any").map((line) => line.command);
  return part(say("ui-install", { shell }), ...[...new Set(lines)].map(command));
}

function steps(title, all) {
  const order = ["fail", "unknown", "pass"];
  const sorted = [...all].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  const line = (step) => make("span", { className: MARKS[step.outcome], textContent: clean(step.says) });
  return part(title, ...(sorted.length ? [list(sorted.map(line))] : []));
}

function attempts(all) {
  const line = (attempt) => [clean(attempt.says), ...(attempt.command ? [command(attempt.command)] : [])];
  return part(say("ui-try"), ...(all.length ? [list(all.map(line))] : []));
}

function sources(all) {
  const known = new Map(all.map((source) => [source.id, source]));
  const line = (s) => [
    link(s.title, "sources", s.id),
    s.read_on ? make("span", { className: "faint", textContent: ` ${say("ui-read-on", { date: s.read_on })}` }) : "",
  ];
  if (!known.size) return [];
  const head = make("summary", { textContent: `${say("ui-sources")} (${known.size})` });
  return [make("details", {}, head, list([...known.values()].map(line)))];
}

/** An item with everything. */
function whole(item, conflict, os) {
  const against = item.verdict === "conflict" ? conflict : null;
  const texts = (id, all) => part(say(id), ...(all.length ? [list(all.map(clean))] : []));
  const also = item.also_fits.map((c) => `${component(c)}${c.channel ? ` (${c.channel})` : ""}`);
  const grade = item.grade ? [say("ui-grade", { grade: say(`ui-grade-${item.grade}`) })] : [];
  return [
    ...grade.map((textContent) => make("p", { className: "faint", textContent })),
    ...(item.verdict === "fits" ? stack(item) : []),
    ...(item.verdict === "conflict" ? [] : install(item, os)),
    ...(against ? steps(say("ui-in-the-way"), against.core) : []),
    ...(against ? steps(say("ui-also-in-the-way"), against.also) : []),
    ...attempts((against ?? item).try ?? []),
    ...steps(say("ui-why"), item.steps),
    ...texts("ui-missing", item.missing),
    ...texts("ui-limits", item.limits.map((limit) => limit.says)),
    ...texts("ui-also-fits", also),
    ...sources([...item.sources, ...(conflict?.sources ?? [])]),
  ];
}

function show({ answer, label, mistakes }) {
  if (mistakes) {
    const line = (mistake) => [mistake.message, ...(mistake.notes.length ? [list(mistake.notes)] : [])];
    return { headline: say("ui-site-form-near"), mark: "unknown", body: [list(mistakes.map(line))] };
  }
  const { request, answers, verdict } = answer;
  // As it was understood: the GPUs, the system, the driver that a branch was read as.
  const places = [request.gpus ?? []].flat().map((id) => link(id, "gpu", id));
  const about = [make("p", {}, ...[...places, request.os].filter(Boolean).flatMap((place, i) => (i ? [", ", place] : [place])))];
  if (request.driver && (request.assumed ?? []).includes("driver")) {
    const textContent = say("ui-driver-branch", { branch: request.driver_branch, version: request.driver });
    about.push(make("p", { className: "faint", textContent }));
  }
  const named = JSON.parse(question()[1]).wants.length;
  const [first, ...rest] = answers;
  if (first && named) {
    const others = rest.filter((item) => item.want !== first.want).flatMap((item) => alone(item));
    const conflict = answer.conflict ?? first.conflict;
    return { headline: first.says || label, mark: verdict, body: [...about, ...whole(first, conflict, request.os), ...others] };
  }
  // Nothing was asked for by name: all main frameworks, or the machine alone.
  const none = { verdict, stack: [], install: [], steps: [], missing: [], limits: [], also_fits: [], sources: [] };
  const each = answers.map((item) => {
    const head = make("summary", {}, make("span", { className: item.verdict, textContent: clean(item.says) }));
    return make("details", {}, head, ...whole(item, item.conflict, request.os));
  });
  const machine = answer.conflict ? whole(none, answer.conflict, request.os) : [];
  return { headline: label, mark: verdict, body: [...about, ...machine, ...each] };
}

/** One of several packages, on its own. */
function alone(item) {
  const head = make("h3", {}, make("span", { className: item.verdict, textContent: clean(item.says) }));
  const step = item.conflict?.core[0];
  return [head, ...(step ? [list([clean(step.says)])] : [])];
}

const answer = attach(form, say, question, show);
function remember() {
  const state = stated();
  const address = new URL(location.href);
  address.search = state;
  history.replaceState(null, "", address);
  for (const other of document.querySelectorAll(".tongue a")) other.search = state;
}
form.addEventListener("change", () => {
  remember();
  answer();
});
form.addEventListener("submit", remember);
form.elements.link.addEventListener("click", (event) => {
  remember();
  copy(location.href, event.target);
});
const asked = new URL(location.href).searchParams;
if (asked.size) {
  fill(asked);
  remember();
  answer();
}
