// What an error means: the module's reading of a text, which stays in the page.
import { attach, command, link, list, part, speaker } from "./engine.js";
import { make } from "./site.js";

const form = document.querySelector("form.ask");
const say = speaker(form);
const area = form.elements.text;
/** As many observations as are shown. */
const SHOWN = 24;

function question() {
  return area.value.trim() ? ["diagnose", `${document.documentElement.lang}\n${area.value}`] : null;
}

/** A step's commands stand below each other. */
const commands = (text) => (text ? [command(text)] : []);
const line = (textContent) => make("p", { textContent });

function cause(found) {
  const quotes = found.quotes.map((quote, i) => `${found.lines[i] ?? ""} | ${quote}`).join("\n");
  const steps = found.fix.map((step) => [
    step.says,
    ...commands(step.command),
    ...(step.undo ? [make("p", { className: "faint", textContent: `${say("ui-diag-undo")} ${step.undo}` })] : []),
  ]);
  const proof = found.fix.find((step) => step.proves)?.proves;
  const pages = [
    link(found.title, "causes", found.cause),
    ...found.signatures.map((signature) => link(signature, "errors", signature)),
  ];
  return [
    ...(found.says === found.title ? [] : [line(found.says)]),
    ...(found.negative ? [line(say("ui-diag-negative"))] : []),
    ...(quotes ? [make("pre", { tabIndex: 0 }, make("code", { textContent: quotes }))] : []),
    ...part(say("ui-diag-fix"), ...(steps.length ? [list(steps, "ol")] : [])),
    ...(proof ? [line(say("ui-diag-proof")), command(proof)] : []),
    ...(found.decides ? [line(say("ui-diag-decides")), command(found.decides)] : []),
    ...part(say("ui-diag-never"), ...(found.never.length ? [list(found.never)] : [])),
    make("p", {}, say("ui-diag-page"), ...pages.flatMap((page) => [" ", page])),
  ];
}

const headline = (found) => `${say(`ui-diag-${found.certainty}`)} ${found.title}`;

function understood({ observations, harmless }) {
  const told = new Map();
  for (const { what, value } of observations) {
    if (what === "error") continue;
    const name = what.replace(/^package:/, "");
    told.set(name, [...new Set([...(told.get(name) ?? []), value])]);
  }
  const seen = [...told].slice(0, SHOWN).map(([name, values]) => `${name} ${values.join(", ")}`);
  const fine = harmless.map((message) => `${message.title} (${message.lines.join(", ")})`);
  const lines = [["ui-diag-understood", seen], ["ui-diag-harmless", fine]].filter(([, all]) => all.length);
  return lines.map(([id, all]) => make("p", { className: "faint", textContent: `${say(id)} ${all.join("; ")}` }));
}

function show(found) {
  const [best, ...others] = found.causes;
  if (!best) {
    const body = [line(say("ui-diag-next")), ...understood(found)];
    return { headline: say("ui-diag-nothing", { lines: found.lines }), mark: "unknown", body };
  }
  const further = others.map((other) =>
    make("details", {}, make("summary", { textContent: headline(other) }), ...cause(other)),
  );
  const body = [...cause(best), ...part(say("ui-diag-also"), ...further), ...understood(found)];
  return { headline: headline(best), mark: "conflict", body };
}

const answer = attach(form, say, question, show);
area.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) answer();
});
