import { Html, html } from "../reference/html.ts";
import { codeBlock, heading } from "../reference/prose.ts";

/** A heading, and the words up to the next one. */
export interface DocumentPart {
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

export interface Links {
  /** Null: there is nothing to lead to, so only the words are shown. */
  readonly toPage: (link: string) => string | null;
  readonly toImage: (source: string) => string | null;
}

/** Marks in the documents are not HTML: they are shown as they are. */
const options = { noHtmlBlocks: true, noHtmlSpans: true } as const;

/** The document as HTML. All of its text is escaped; every heading has its anchor. */
export function renderMarkdown(markdown: string, { toPage, toImage }: Links): Html {
  const parts = documentPartsOf(markdown)[Symbol.iterator]();
  const wrap = (tag: string) => (children: string) => `<${tag}>${children}</${tag}>`;
  const rendered = Bun.markdown.render(
    markdown,
    {
      text: (text) => html`${text}`.text,
      heading: (children, { level }) => {
        const { heading: name = "", anchor = "" } = parts.next().value ?? {};
        if (level === 1) return html`<h1 id="${anchor}">${new Html(children)}</h1>\n`.text;
        return `${heading(level === 2 ? 2 : level === 3 ? 3 : 4, anchor, new Html(children), name).text}\n`;
      },
      paragraph: (children) => `<p>${children}</p>\n`,
      blockquote: wrap("blockquote"),
      code: (children, meta) => `${codeBlock(meta?.language ?? "", new Html(children.trimEnd())).text}\n`,
      list: (children, { ordered, start = 1 }) =>
        ordered ? `<ol start="${start}">\n${children}</ol>\n` : `<ul>\n${children}</ul>\n`,
      listItem: (children) => `<li>${children}</li>\n`,
      hr: () => "<hr>\n",
      // A wide table is scrolled by itself, by keyboard as well.
      table: (children) =>
        `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${children}</table></div>\n`,
      thead: wrap("thead"),
      tbody: wrap("tbody"),
      tr: (children) => `<tr>${children}</tr>\n`,
      th: (children, meta) => cell("th", children, meta?.align),
      td: (children, meta) => cell("td", children, meta?.align),
      strong: wrap("strong"),
      emphasis: wrap("em"),
      strikethrough: wrap("del"),
      codespan: wrap("code"),
      link: (children, { href }) => {
        const address = toPage(href);
        return address === null ? children : html`<a href="${address}">${new Html(children)}</a>`.text;
      },
      image: (children, { src }) => {
        const address = toImage(src);
        return address === null
          ? children
          : html`<img src="${address}" alt="${new Html(children)}" loading="lazy">`.text;
      },
    },
    options,
  );
  return new Html(rendered);
}

function cell(tag: "th" | "td", children: string, align: string | undefined): string {
  return `<${tag}${align === "right" ? ' class="figure"' : ""}>${children}</${tag}>`;
}

/** Where the links of a document lead, those to pictures included. */
export function linksOf(markdown: string): string[] {
  const links: string[] = [];
  const note = (link: string) => {
    if (!isElsewhere(link)) links.push(link);
    return "";
  };
  Bun.markdown.render(markdown, { link: (_, { href }) => note(href), image: (_, { src }) => note(src) }, options);
  return links;
}

/** `https:`, `mailto:` and so on. */
export function isElsewhere(link: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(link);
}

// No document holds these characters.
const startOfHeading = "\u0001";
const endOfHeading = "\u0002";

/** The document as plain text, cut at its headings. What comes before the first one belongs to no part. */
export function documentPartsOf(markdown: string): DocumentPart[] {
  const apart = (children: string) => `${children} `;
  const text = Bun.markdown.render(
    markdown,
    {
      heading: (children, { level }) => `${startOfHeading}${level}${children}${endOfHeading}`,
      paragraph: apart,
      code: apart,
      listItem: apart,
      th: apart,
      td: apart,
    },
    options,
  );
  const anchors = anchorMaker();
  return text
    .split(startOfHeading)
    .slice(1)
    .map((part): DocumentPart => {
      const [first = "", words = ""] = part.split(endOfHeading);
      const name = first.slice(1);
      return { level: Number(first[0]), heading: name, anchor: anchors(name), text: words.replace(/\s+/g, " ").trim() };
    });
}

/** What a heading is called in links, as forges do it: in small letters, without punctuation, with dashes for blanks. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** The anchors of one document: the second heading of a name gets a number. */
export function anchorMaker(): (heading: string) => string {
  const uses = new Map<string, number>();
  return (heading) => {
    const anchor = anchorOf(heading);
    const before = uses.get(anchor) ?? 0;
    uses.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}
