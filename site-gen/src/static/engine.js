// The engine in the page: a module and its data, loaded once and asked as often as somebody wants. Nothing is sent.
import { copyable, make } from "./site.js";
import { start } from "./wasm.js";

const PARTS = ["core", "libraries", "words", "diagnosis"];
const root = document.documentElement;

/** Loads a form's module and its data; gives a function that asks: a name of the module's functions, a text; the answer. */
async function open({ module, version }) {
  const from = `${root.dataset.base}static/engine/`;
  const get = async (file) => {
    // The version names these very bytes, so a copy that the browser has is as good.
    const reply = await fetch(`${from}${file}?${version}`, { cache: "force-cache" });
    if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
    return reply.arrayBuffer();
  };
  const wanted = PARTS.filter(
    (part) => (part !== "words" || root.lang !== "en") && (part !== "diagnosis" || module === "diagnose"),
  );
  const [code, ...data] = await Promise.all([get(`${module}.wasm`), ...wanted.map((part) => get(`${part}.bin`))]);
  const { kb, give, told } = await start(code);
  wanted.forEach((part, i) => told(kb.load(PARTS.indexOf(part), give(new Uint8Array(data[i])))));
  return (name, text) => told(kb[name](give(text)));
}

/** The words of a form: an id and the values of its places. */
export function speaker(form) {
  const words = JSON.parse(form.dataset.words);
  return (id, values = {}) => (words[id] ?? id).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

/**
 * Makes a form answer. `question` gives what is asked, or nothing; `show` makes of the answer a headline, its mark and what
 * stands below it. Gives a function that answers what the form says now.
 */
export function attach(form, say, question, show) {
  const section = form.nextElementSibling;
  const [status, body] = section.querySelectorAll("p, div");
  let engine = null;
  let turn = 0;
  const load = () => {
    engine ??= open(form.dataset);
    return engine;
  };
  const answer = async () => {
    const asked = question();
    const mine = (turn += 1);
    section.hidden = !asked;
    if (!asked) return;
    status.className = "faint";
    status.textContent = say("ui-site-form-loading");
    try {
      const ask = await load();
      if (mine !== turn) return;
      const shown = show(ask(...asked));
      status.className = shown.mark;
      status.textContent = shown.headline;
      body.replaceChildren(...shown.body);
    } catch (error) {
      // A module that stopped is not asked again; the next question loads another.
      engine = null;
      if (mine !== turn) return;
      status.className = "unknown";
      status.textContent = say("ui-site-form-failed", { why: error.message });
      body.replaceChildren();
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer();
  });
  // Whoever begins to type is going to ask; a failure is told when the question is.
  form.addEventListener("focusin", () => load().catch(() => (engine = null)), { once: true });
  form.hidden = false;
  return answer;
}

/** A command with a button that copies it. */
export const command = (text) => copyable(make("pre", { tabIndex: 0 }, make("code", { textContent: text })));

/** A heading and what stands below it; nothing where nothing does. */
export const part = (title, ...below) => (below.length ? [make("h3", { textContent: title }), ...below] : []);

/** A list of texts and nodes. */
export const list = (entries, tag = "ul") =>
  make(tag, { className: "list" }, ...entries.map((entry) => make("li", {}, ...[entry].flat())));

/** A link to a page of the same language; plain text where an id makes no address. */
export function link(text, kind, id) {
  const slug = String(id).toLowerCase();
  const plain = /^[a-z0-9_+][a-z0-9._+-]*$/.test(slug) && !slug.includes("..");
  return plain ? make("a", { textContent: text, href: `../${kind}/${slug}/` }) : text;
}
