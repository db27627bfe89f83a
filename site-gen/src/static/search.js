// The search box: a module reads an index that is fetched when the box is first used, names first, then all texts. Nothing
// that is typed leaves the page.
import { start } from "./wasm.js";

const SHOWN = 10;

async function unpacked(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  const stream = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The module with an index of names; `ready` is called when that of all texts is there. */
async function open(base, language, ready) {
  const index = (name) => unpacked(`${base}search/${language}.${name}.gz`);
  const module = async () => {
    const answer = await fetch(`${base}static/search.wasm`);
    if (!answer.ok) throw new Error(`search.wasm: ${answer.status}`);
    return start(await answer.arrayBuffer());
  };
  const [{ kb, give, told }, names] = await Promise.all([module(), index("names")]);
  told(kb.load_search(give(names)));
  index("full").then((bytes) => {
    told(kb.load_search(give(bytes)));
    ready();
  });
  return (text) => told(kb.query(give(`${language}\n${text}`), SHOWN)).hits;
}

/** Makes a search of an input. `base` is the path that the site stands under. */
export function attach(box, base, language) {
  const list = document.createElement("ul");
  list.className = "found";
  list.id = "found";
  list.setAttribute("role", "listbox");
  list.hidden = true;
  box.setAttribute("role", "combobox");
  box.setAttribute("aria-controls", "found");
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("aria-autocomplete", "list");
  box.after(list);
  let search;
  let at = -1;
  const mark = (next) => {
    const entries = [...list.children];
    at = entries.length ? (next + entries.length) % entries.length : -1;
    entries.forEach((entry, i) => entry.setAttribute("aria-selected", String(i === at)));
    if (at >= 0) {
      box.setAttribute("aria-activedescendant", entries[at].id);
      entries[at].scrollIntoView({ block: "nearest" });
    } else box.removeAttribute("aria-activedescendant");
  };
  const close = () => {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const show = () => {
    const text = box.value;
    if (!search || !text.trim()) return close();
    const hits = search(text);
    list.replaceChildren(
      ...hits.map(({ address, title, kind }, i) => {
        const link = Object.assign(document.createElement("a"), { href: address, textContent: title, tabIndex: -1 });
        const entry = Object.assign(document.createElement("li"), { id: `found-${i}` });
        entry.setAttribute("role", "option");
        const small = Object.assign(document.createElement("small"), { textContent: ` ${kind}` });
        entry.append(link, small);
        return entry;
      }),
    );
    list.hidden = !hits.length;
    box.setAttribute("aria-expanded", String(hits.length > 0));
    mark(hits.length ? 0 : -1);
  };
  open(base, language, show)
    .then((opened) => {
      search = opened;
      show();
    })
    .catch((error) => {
      box.title = String(error);
    });
  box.addEventListener("input", show);
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(at + 1);
    else if (event.key === "ArrowUp") mark(at - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && at >= 0) location.href = list.children[at].querySelector("a").href;
    else return;
    event.preventDefault();
  });
  // A line that is pasted with others comes as one.
  box.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain");
    if (!text?.includes("\n")) return;
    event.preventDefault();
    box.value = text.replace(/\s+/g, " ").slice(0, 4000);
    show();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("search")) close();
  });
}
