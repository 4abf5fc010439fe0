type Child = Node | string;

/** An element with attributes and children. Texts become text, never marks. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(text: string, onClick: () => void, className = ""): HTMLButtonElement {
  const made = element("button", { type: "button", class: className }, text);
  made.addEventListener("click", onClick);
  return made;
}

/** Of what the server has put into the page. */
export function find<Match extends HTMLElement>(selector: string, inside: ParentNode = document): Match {
  const found = inside.querySelector<Match>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Of this server: the page may be under a path of its own. */
export function pageUrl(path: string): URL {
  return new URL(path, document.baseURI);
}

/** The key that begins a search, unless the user is typing. */
export function onSlash(begin: () => void): void {
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    begin();
  });
}

const thanksMs = 1500;

/** Copies what the block holds at that moment. */
export function addCopyButton(block: HTMLElement): void {
  // Only a page from a safe place may write to the clipboard.
  if (!navigator.clipboard) return;
  const copy = button(
    "Copy",
    async () => {
      await navigator.clipboard.writeText(find("pre", block).textContent ?? "");
      copy.textContent = "Copied";
      setTimeout(() => {
        copy.textContent = "Copy";
      }, thanksMs);
    },
    "small",
  );
  find("figcaption", block).append(copy);
}
