import type { Entry } from "../search-index.ts";

/** Something to find, and where it is on the page. */
export interface PageEntry extends Entry {
  readonly place: HTMLElement;
  /** The anchor that leads there, or close to it. */
  readonly anchor: string;
}

/** Everything that the page says, read from the page itself. */
export function readEntries(): PageEntry[] {
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

const kindByAnchor: readonly [start: string, kind: Entry["kind"]][] = [
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

function rowEntry(row: HTMLElement, kind: Entry["kind"], context: string, path: string): PageEntry {
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
