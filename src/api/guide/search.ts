import { type Html, html } from "../reference/html.ts";
import {
  countWords,
  type SearchEntry,
  type SearchResult,
  search,
  snippetOf,
  split,
  wordsOf,
} from "../reference/search-index.ts";
import { guidePlace, linkTo } from "./addresses.ts";
import { contentsPath, type Documents, titleOf } from "./documents.ts";
import { documentPartsOf } from "./markdown.ts";
import { type GuideContents, renderPage, searchAddress } from "./page.ts";

export interface GuideEntry extends SearchEntry {
  readonly document: string;
  readonly anchor: string;
}

const maxQuery = 100;
const maxWords = 8;
const maxShown = 30;

/** Words of a question that find nothing. */
const idle = new Set(
  "a an and are as at be by can do does for from how i in is it my of on or that the to what when where which with".split(
    " ",
  ),
);

/** Everything that the guide says. What is written about running it comes before what is written about the code. */
export function guideEntries(documents: Documents): GuideEntry[] {
  const paths = [...documents.keys()]
    .filter((path) => path !== contentsPath)
    .toSorted((left, right) => rank(left) - rank(right));
  return paths.flatMap((document) => {
    const title = titleOf(documents, document);
    return documentPartsOf(documents.get(document) ?? "").map(({ heading, anchor, text }, index): GuideEntry => {
      const isTitle = index === 0;
      return {
        kind: isTitle ? "page" : "guide",
        name: heading,
        context: isTitle ? "" : title,
        path: "",
        text,
        document,
        anchor,
      };
    });
  });
}

function rank(path: string): number {
  if (path.startsWith("docs/decisions/")) return 1;
  return path.startsWith("docs/") || path === "README.md" ? 0 : 2;
}

export function renderSearch(frame: GuideContents, entries: readonly GuideEntry[], entered: string): string {
  const words = wordsOf(entered.slice(0, maxQuery).replace(/[?!,;]+(?=\s|$)/g, "")).slice(0, maxWords);
  const meaningful = words.filter((word) => !idle.has(word));
  const query = (meaningful.length > 0 ? meaningful : words).join(" ");
  const results = search(entries, query);
  const body = html`<h1>Search</h1>
<p class="found" role="status">${query === "" ? "Type a word: a command, a setting, an error, or what you want to do." : countWords(results.length, query, maxShown)}</p>
${results.length === 0 ? html`<p>Every call, parameter and field is in the <a href="../../docs">API reference</a>, which has a search of its own.</p>` : null}
<ol class="results">
${results.slice(0, maxShown).map((result) => shown(result, wordsOf(query)))}</ol>`;
  const title = query === "" ? "Search" : `Search for ${query}`;
  return renderPage(frame, { address: searchAddress, title, query: entered.slice(0, maxQuery), body });
}

function shown({ entry }: SearchResult<GuideEntry>, words: readonly string[]): Html {
  const { document, anchor, kind, name, context, text } = entry;
  const address = linkTo(searchAddress, guidePlace(document), kind === "page" ? "" : anchor);
  return html`<li><a href="${address}"><span class="result-title">${marked(name, words)}</span>
<span class="result-place">${context}</span>
<span class="result-text">${marked(snippetOf(text, words), words)}</span></a></li>
`;
}

function marked(text: string, words: readonly string[]) {
  // The odd parts are what was found.
  return split(text, words).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
