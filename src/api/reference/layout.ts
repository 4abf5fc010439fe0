import { type Fragment, type Html, html, joinedHtml } from "./html.ts";

interface Layout {
  readonly title: string;
  readonly description?: string;
  /** The way up to the server's root, which may be under a path of its own: relative, and empty or with a slash at its end. */
  readonly root: string;
  /** Which style sheet and which script. */
  readonly name: "reference" | "guide";
  /** Where the sign leads. */
  readonly start: string;
  /** The other parts of the documentation and the portal: in the bar, and above the contents. */
  readonly links: readonly Html[];
  /** Further ones, above the contents only. */
  readonly moreLinks?: readonly Html[];
  readonly contents: Fragment;
  readonly main: Fragment;
  readonly footer: string;
  /** Beside the text, on a wide screen. */
  readonly aside?: Fragment;
}

/** What every page of the documentation has around its text. It can be read without its script. */
export function renderLayout(layout: Layout): string {
  const { title, description, root, name, start, links, moreLinks = [], contents, main, footer, aside = null } = layout;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Odograph</title>
${description === undefined ? null : html`<meta name="description" content="${description}">\n`}<link rel="icon" href="${root}docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}docs/${name}.css">
<script src="${root}docs/${name}.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">${brand(start)} ${joinedHtml(links, " ")} <button type="button" popovertarget="contents">Contents</button></header>
<nav class="contents" id="contents" aria-label="Contents" popover>
${brand(start)}
<p class="beside">${joinedHtml([...links, ...moreLinks], " ")}</p>
${contents}
</nav>
<main id="content">
${main}
<footer><p>${footer}</p></footer>
</main>
${aside}
</body>
</html>
`.text;
}

function brand(start: string): Html {
  return html`<a class="brand" href="${start}"><svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<rect class="logo-plate" width="32" height="32" rx="8" /><path class="logo-dial" d="M7.5 21.5a9.2 9.2 0 1 1 17 0" />
<path class="logo-needle" d="m16 19.5 4.6-6.4" /><circle class="logo-hub" cx="16" cy="20" r="2.6" /></svg>
<span>Odograph</span></a>`;
}
