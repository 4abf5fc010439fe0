import type { LetterLanguage } from "./letter-texts.ts";

export interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
}

export interface Attachment {
  readonly filename: string;
  readonly content: string;
  readonly contentType: string;
}

/** A piece of a letter, in both of its forms. */
export interface LetterBlock {
  readonly text: string;
  readonly html: string;
}

export type LetterLink = readonly [text: string, url: string];

interface LetterParts {
  readonly subject: string;
  readonly language: LetterLanguage;
  readonly head?: { readonly title: string; readonly style?: string };
  readonly blocks: readonly LetterBlock[];
}

/** A mail as plain text and as simple HTML: no pictures, nothing that is loaded, and nothing that says whether it was read. */
export function composed({ subject, language, head, blocks }: LetterParts): Letter {
  const body = [...blocks, ...paragraphBlocks("Odograph")];
  const style = head?.style === undefined ? "" : `<style>${head.style}</style>`;
  const meta = head ? `<head><meta charset="utf-8"><title>${escaped(head.title)}</title>${style}</head>` : "";
  const html = body.map((block) => block.html).join("");
  return {
    subject,
    text: `${body.map(({ text }) => text).join("\n\n")}\n`,
    html: `<!doctype html><html lang="${language}">${meta}<body>${html}</body></html>`,
  };
}

export function paragraphBlocks(...texts: readonly string[]): LetterBlock[] {
  return texts.map((text) => ({ text, html: `<p>${escaped(text)}</p>` }));
}

/** Why the person gets the mail, and where to go from it. Each link is in the text; `below` are those in the HTML's last lines. */
export function footOf(last: string, links: readonly LetterLink[], below = links, className = ""): LetterBlock {
  const text = [last, ...links.map((link) => link.join(": "))].join("\n");
  const lines = below.map(linkHtml).join("<br>");
  return { text, html: `<hr><p${className}><small>${escaped(last)}<br>${lines}</small></p>` };
}

export function linkHtml([text, url]: LetterLink): string {
  return `<a href="${escaped(url)}">${escaped(text)}</a>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
