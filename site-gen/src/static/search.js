// The search box. It is shown once the site has an index; until then nothing loads this.

/** Asks the index: a query as JSON, `{"text": …, "language": …}`; the answer is JSON, `[{"address", "title", "kind"}]`. */
export async function query(_json) {
  return "[]";
}

/** Makes a search of an input. `base` is the path that the site stands under. */
export function attach(box, base, language) {
  const list = document.createElement("ul");
  list.className = "found";
  box.after(list);
  box.addEventListener("input", async () => {
    const text = box.value;
    const found = text.trim() ? JSON.parse(await query(JSON.stringify({ text, language }))) : [];
    if (text !== box.value) return;
    list.replaceChildren(
      ...found.map(({ address, title, kind }) => {
        const link = document.createElement("a");
        link.href = base + address;
        link.textContent = title;
        const entry = document.createElement("li");
        entry.append(link, ` ${kind}`);
        return entry;
      }),
    );
  });
}
