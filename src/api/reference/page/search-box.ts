import { countWords, type SearchEntry, type SearchResult, search, snippetOf, split, wordsOf } from "../search-index.ts";
import { button, element, find, onSlash } from "./dom.ts";

/** More are not looked through; another word narrows them down. */
const maxShown = 40;

const kindWords: Readonly<Record<PageEntry["kind"], string>> = {
  operation: "Operation",
  parameter: "Parameter",
  field: "Field",
  header: "Header",
  error: "Error",
  scope: "Scope",
  guide: "Guide",
  page: "Page",
};

export function offerSearch(): void {
  const contents = find("#contents");
  const input = element("input", {
    type: "search",
    role: "combobox",
    placeholder: "Search ( / )",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search fields, parameters, errors and texts",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "search-results",
  });
  const list = element("ul", { id: "search-results", role: "listbox", "aria-label": "Results", class: "results" });
  const status = element("p", { class: "found", role: "status" });
  list.hidden = true;
  find(".brand", contents).after(input, status, list);

  let entries: PageEntry[] | null = null;
  let results: SearchResult<PageEntry>[] = [];
  let active = 0;

  const show = () => {
    entries ??= readEntries();
    const found = search(entries, input.value);
    results = found.slice(0, maxShown);
    active = 0;
    const isSearching = wordsOf(input.value).length > 0;
    contents.classList.toggle("searching", isSearching);
    list.hidden = results.length === 0;
    input.setAttribute("aria-expanded", String(results.length > 0));
    status.textContent = isSearching ? countWords(found.length, input.value.trim(), maxShown) : "";
    const words = wordsOf(input.value);
    list.replaceChildren(...results.map((result, index) => optionOf(result, index, words)));
    mark();
  };
  const mark = () => {
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute("aria-selected", String(index === active));
      if (index === active) option.scrollIntoView({ block: "nearest" });
    }
    if (results.length > 0) input.setAttribute("aria-activedescendant", optionId(active));
    else input.removeAttribute("aria-activedescendant");
  };
  const go = (index: number) => {
    const result = results[index];
    if (result) leadTo(result.entry, wordsOf(input.value));
  };

  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      active = (active + step + results.length) % results.length;
      mark();
    } else if (event.key === "Enter") go(active);
    else if (event.key === "Escape" && input.value !== "") {
      // Only the search is left, not the contents around it.
      event.preventDefault();
      input.value = "";
      show();
    }
  });
  list.addEventListener("click", ({ target }) => {
    const option = target instanceof Element ? target.closest("[role=option]") : null;
    if (option) go([...list.children].indexOf(option));
  });

  const begin = () => {
    if (getComputedStyle(contents).display === "none") contents.showPopover();
    input.focus();
    input.select();
  };
  find(".bar button").before(button("Search", begin));
  onSlash(begin);
}

function optionId(index: number): string {
  return `search-result-${index}`;
}

function optionOf({ entry, others }: SearchResult<PageEntry>, index: number, words: readonly string[]): HTMLElement {
  const { kind, name, context, path, text } = entry;
  const where = [kindWords[kind], context || path].filter(Boolean).join(" · ");
  const more = others === 0 ? "" : ` and ${others} more`;
  return element(
    "li",
    { role: "option", id: optionId(index), "aria-selected": "false" },
    element(
      "span",
      { class: kind === "operation" || kind === "guide" ? "result-title" : "result-name" },
      ...marked(name, words),
    ),
    element("span", { class: "result-place" }, where + more),
    element("span", { class: "result-text" }, ...marked(snippetOf(text, words), words)),
  );
}

function marked(text: string, words: readonly string[]): (Node | string)[] {
  // The odd parts are what was found.
  return split(text, words).map((part, index) => (index % 2 === 1 ? element("mark", {}, part) : part));
}

/** Shows the place, with what was found highlighted, and puts the focus there. */
function leadTo({ place, anchor }: PageEntry, words: readonly string[]): void {
  const contents = find("#contents");
  if (contents.matches(":popover-open")) contents.hidePopover();
  location.hash = anchor;
  if (place.id !== anchor && !place.matches("h3")) place.scrollIntoView({ block: "center" });
  const target = place.querySelector<HTMLElement>(".name-link, .anchor") ?? place;
  if (target === place) place.tabIndex = -1;
  target.focus({ preventScroll: true });
  highlight(place, words);
}

/** An older browser shows the place without it. */
function highlight(place: HTMLElement, words: readonly string[]): void {
  if (!("highlights" in CSS)) return;
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let at = 0;
    for (const [index, part] of split(node.textContent ?? "", words).entries()) {
      if (index % 2 === 1) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + part.length);
        ranges.push(range);
      }
      at += part.length;
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

interface PageEntry extends SearchEntry {
  readonly place: HTMLElement;
  /** The anchor that leads there, or close to it. */
  readonly anchor: string;
}

/** Everything that the page says, read from the page itself. */
function readEntries(): PageEntry[] {
  const sections = [...document.querySelectorAll<HTMLElement>(".guide > section")].flatMap(sectionEntries);
  const articles = [...document.querySelectorAll<HTMLElement>("article")].flatMap(articleEntries);
  return [...articles, ...sections];
}

function articleEntries(article: HTMLElement): PageEntry[] {
  const anchor = article.getAttribute("aria-labelledby") ?? "";
  const title = titleOf(article, "h3");
  const path = textOf(article.querySelector(".path"));
  const words = [...article.querySelectorAll(".words > p")].map(textOf).join(" ");
  const heading = article.querySelector("h3") ?? article;
  const own: PageEntry = { kind: "operation", name: title, context: "", path, text: words, place: heading, anchor };
  const rows = [...article.querySelectorAll<HTMLElement>("tr[id]")].map((row): PageEntry => {
    const kind = row.id.startsWith(`${anchor}-parameter-`) ? "parameter" : "field";
    return rowEntry(row, kind, title, path);
  });
  return [own, ...rows];
}

const kindByAnchor: readonly [start: string, kind: SearchEntry["kind"]][] = [
  ["error-", "error"],
  ["scope-", "scope"],
  ["header-", "header"],
];

function sectionEntries(section: HTMLElement): PageEntry[] {
  const anchor = section.getAttribute("aria-labelledby") ?? "";
  const title = titleOf(section, "h2");
  const rows = [...section.querySelectorAll<HTMLElement>("tr[id]")].map((row) => {
    const [, kind = "guide"] = kindByAnchor.find(([start]) => row.id.startsWith(start)) ?? [];
    return rowEntry(row, kind, "", "");
  });
  const texts = [...section.querySelectorAll<HTMLElement>(":scope > p, :scope > ul > li, :scope > ol > li")];
  const blocks = texts.map((place): PageEntry => {
    return { kind: "guide", name: title, context: "", path: "", text: textOf(place), place, anchor };
  });
  return [...blocks, ...rows];
}

function rowEntry(row: HTMLElement, kind: SearchEntry["kind"], context: string, path: string): PageEntry {
  const name = textOf(row.querySelector(".name-link"));
  const cells = [...row.querySelectorAll(".row-type, td:not(:has(.name-link))")];
  return { kind, name, context, path, text: cells.map(textOf).join(" · "), place: row, anchor: row.id };
}

/** Without the link that follows it. */
function titleOf(part: HTMLElement, heading: string): string {
  return textOf(part.querySelector(heading)).replace(/ #$/, "");
}

function textOf(part: Element | null): string {
  return (part?.textContent ?? "").replace(/\s+/g, " ").trim();
}
