// What pages can do beside being read: filter, sort and copy tables, copy commands, search. Without it they are whole.
const root = document.documentElement;
export const word = Object.fromEntries(
  (root.dataset.words || "").split("|").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
);
export const make = (tag, props = {}, ...children) => {
  const out = Object.assign(document.createElement(tag), props);
  out.append(...children);
  return out;
};

// One place that tells what happened, for readers of screens too.
const status = make("p", { className: "skip" });
status.setAttribute("aria-live", "polite");
document.body.append(status);

export async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { value: text });
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  status.textContent = word.copied;
  const before = button.textContent;
  button.textContent = word.copied;
  setTimeout(() => (button.textContent = before), 1500);
}

/** A text with a button that copies it. */
export function copyable(pre) {
  const button = make("button", { type: "button", textContent: word.copy });
  button.addEventListener("click", () => copy(pre.textContent, button));
  return make("div", { className: "copy" }, pre, button);
}

for (const pre of document.querySelectorAll("pre[data-copy]")) {
  const mark = document.createComment("");
  pre.replaceWith(mark);
  mark.replaceWith(copyable(pre));
}

const order = new Intl.Collator(root.lang, { numeric: true, sensitivity: "base" });

/** The state of all tables stands in the address: `<table>.q`, `<table>.sort`, `<table>.hide`. */
function remember(id, state) {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries(state)) {
    if (value) address.searchParams.set(`${id}.${key}`, value);
    else address.searchParams.delete(`${id}.${key}`);
  }
  history.replaceState(null, "", address);
}

function tools(table) {
  const region = table.parentElement;
  const id = region.getAttribute("aria-labelledby");
  const heads = [...table.tHead.rows[0].cells];
  const keys = heads.map((head) => head.dataset.key);
  const rows = [...table.tBodies[0].rows];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const asked = new URL(location.href).searchParams;
  const state = { q: asked.get(`${id}.q`) || "", sort: asked.get(`${id}.sort`) || "", hide: asked.get(`${id}.hide`) || "" };

  const filter = make("input", { type: "search", value: state.q, placeholder: word.filter });
  filter.setAttribute("aria-label", word.filter);
  const count = make("output");
  const boxes = keys.map((key) => make("input", { type: "checkbox", checked: !state.hide.split(",").includes(key) }));
  const choice = make("fieldset", {}, ...boxes.map((box, i) => make("label", {}, box, " ", heads[i].textContent)));
  choice.setAttribute("aria-label", word.columns);
  const columns = make("details", {}, make("summary", { textContent: word.columns }), choice);
  const markdown = make("button", { type: "button", textContent: word.markdown });
  const csv = make("button", { type: "button", textContent: word.csv });
  region.before(make("div", { className: "tools" }, filter, count, columns, markdown, csv));

  const show = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !wanted.every((part) => texts[i].includes(part));
      if (!row.hidden) shown += 1;
    });
    count.textContent = `${shown} / ${rows.length}`;
  };
  const hide = () => {
    boxes.forEach((box, i) => {
      heads[i].hidden = !box.checked;
      for (const row of rows) row.cells[i].hidden = !box.checked;
    });
  };
  const sort = () => {
    const key = state.sort.replace(/^-/, "");
    const column = keys.indexOf(key);
    heads.forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", state.sort.startsWith("-") ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    const turn = state.sort.startsWith("-") ? -1 : 1;
    const sorted = column < 0 ? rows : [...rows].sort((a, b) => {
      const [one, other] = [a.cells[column].textContent, b.cells[column].textContent];
      // What is empty stands last, whichever way.
      if (!one || !other) return one ? -1 : other ? 1 : 0;
      return turn * order.compare(one, other);
    });
    table.tBodies[0].append(...sorted);
  };

  heads.forEach((head, i) => {
    const button = make("button", { type: "button", textContent: head.textContent });
    button.addEventListener("click", () => {
      state.sort = state.sort === keys[i] ? `-${keys[i]}` : state.sort === `-${keys[i]}` ? "" : keys[i];
      sort();
      remember(id, state);
    });
    head.replaceChildren(button);
  });
  filter.addEventListener("input", () => {
    state.q = filter.value;
    show();
    remember(id, state);
  });
  choice.addEventListener("change", () => {
    state.hide = keys.filter((_, i) => !boxes[i].checked).join(",");
    hide();
    remember(id, state);
  });
  const seen = () => {
    const kept = keys.map((_, i) => i).filter((i) => boxes[i].checked);
    const lines = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    const texts = [heads, ...lines.map((row) => [...row.cells])];
    return texts.map((cells) => kept.map((i) => cells[i].textContent.trim()));
  };
  markdown.addEventListener("click", () => {
    const [head, ...body] = seen().map((cells) => `| ${cells.map((c) => c.replace(/\|/g, "\\|")).join(" | ")} |`);
    copy([head, head.replace(/[^|\\]|\\./g, "-").replace(/\\/g, "-"), ...body].join("\n") + "\n", markdown);
  });
  csv.addEventListener("click", () => {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
    copy(seen().map((cells) => cells.map(quoted).join(",")).join("\r\n") + "\r\n", csv);
  });
  show();
  hide();
  if (state.sort) sort();
}

for (const table of document.querySelectorAll("table[data-tools]")) tools(table);

const box = document.getElementById("q");
if (box && "search" in root.dataset) {
  box.parentElement.hidden = false;
  const load = () => import("./search.js").then((search) => search.attach(box, root.dataset.base, root.lang));
  box.addEventListener("focus", load, { once: true });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if ((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      box.focus();
    }
  });
}
