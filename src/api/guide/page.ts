import { type Fragment, type Html, html } from "../reference/html.ts";
import { renderLayout } from "../reference/layout.ts";
import { programVersion } from "../version.ts";
import { guidePath, guidePlace, linkTo, wayToRoot } from "./addresses.ts";
import { contentsPath } from "./documents.ts";
import type { DocumentPart } from "./markdown.ts";

export interface GuideContents {
  readonly groups: readonly { readonly name: string; readonly pages: readonly GuidePage[] }[];
}

export interface GuidePage {
  readonly path: string;
  readonly title: string;
}

interface ShownPage {
  /** The page's own address, from which its links lead on. */
  readonly address: string;
  readonly title: string;
  /** The document that is shown, if it is one. */
  readonly path?: string;
  readonly query?: string;
  readonly body: Fragment;
  /** Its headings, for the list beside it. */
  readonly parts?: readonly DocumentPart[];
}

/** A page of the guide. It can be searched without its script, too. */
export function renderPage({ groups }: GuideContents, shown: ShownPage): string {
  const { address, title, path, query = "", body, parts = [] } = shown;
  const root = wayToRoot(address);
  const search = html`<form class="search" role="search" action="${linkTo(address, "search")}">
<input type="search" name="q" value="${query}" maxlength="100" placeholder="Search the guide" aria-label="Search the guide" autocomplete="off">
</form>`;
  const links = groups.map(
    ({ name, pages }) => html`<h2>${name}</h2>
<ul>
${pages.map((page) => contentsLink(address, page, path))}</ul>
`,
  );
  return renderLayout({
    title,
    root,
    name: "guide",
    start: linkTo(address, ""),
    links: [html`<a href="${root}docs">API reference</a>`, html`<a href="${root}portal">Portal</a>`],
    contents: [search, "\n", links],
    main: [body, "\n", path === undefined ? null : neighbours(groups, address, path)],
    footer: `Odograph ${programVersion}, free software under the Apache License 2.0.`,
    aside: onThisPage(parts),
  });
}

/** A document outside of the contents, such as one decision, belongs to the page of its folder. */
function contentsLink(address: string, { path, title }: GuidePage, shown: string | undefined): Html {
  const isShown = path === shown;
  const isAbove =
    !isShown && path !== contentsPath && path.endsWith("/README.md") && shown?.startsWith(path.slice(0, -9));
  const current = isShown ? html` aria-current="page"` : isAbove ? html` aria-current="true"` : null;
  return html`<li><a href="${linkTo(address, guidePlace(path))}"${current}>${title}</a></li>\n`;
}

function neighbours(groups: GuideContents["groups"], address: string, path: string): Html | null {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex((page) => page.path === path);
  if (at < 0) return null;
  const link = (page: GuidePage | undefined, rel: "prev" | "next", word: string) =>
    page &&
    html`<a rel="${rel}" href="${linkTo(address, guidePlace(page.path))}"><span>${word}</span> ${page.title}</a>`;
  return html`<nav class="neighbours" aria-label="Pages before and after">
${link(pages[at - 1], "prev", "Previous") ?? null}
${link(pages[at + 1], "next", "Next") ?? null}
</nav>`;
}

function onThisPage(parts: readonly DocumentPart[]): Html | null {
  const listed = parts.filter(({ level }) => level === 2 || level === 3);
  if (listed.length < 2) return null;
  return html`<nav class="headings" aria-label="On this page">
<h2>On this page</h2>
<ul>
${listed.map(({ level, anchor, heading }) => html`<li class="level-${level}"><a href="#${anchor}">${heading}</a></li>\n`)}</ul>
</nav>`;
}

export function renderMissing(frame: GuideContents, address: string): string {
  const body = html`<h1>There is no such page</h1>
<p>Search for it, or look through <a href="${linkTo(address, "")}">the contents</a>.</p>`;
  return renderPage(frame, { address, title: "No such page", body });
}

export const searchAddress = `${guidePath}/search`;
