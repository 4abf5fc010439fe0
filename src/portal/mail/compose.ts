import type { Severity } from "../../domain/alert-types.ts";
import type { LetterLanguage } from "./letter-texts.ts";
import { look, lookMarked, severityLook, styleSheet } from "./look.ts";

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
  /** The account's name, above everything; null: those who get the mail may know nothing of it. */
  readonly sender: string | null;
  readonly title: string;
  /** What the card is marked with, and the word for it if it is that of the title. */
  readonly severity?: { readonly level: Severity; readonly word: string | null } | null;
  /** What lists of mails show after the subject. */
  readonly preview?: string | null;
  /** Whether it has tables that want the whole window. */
  readonly isWide?: boolean;
  readonly blocks: readonly LetterBlock[];
  /** Below the card. */
  readonly foot?: LetterBlock;
}

const product = "Odograph";

/**
 * A mail as plain text and as HTML of tables, which every mail program lays out alike: no pictures, nothing that is loaded, and nothing
 * that says whether it was read.
 */
export function composed(parts: LetterParts): Letter {
  const { subject, sender, title, severity = null, blocks, foot } = parts;
  const word = severity?.word ?? null;
  const heads = [sender, title === null || word === null ? title : `${title} (${word})`].filter(
    (text) => text !== null,
  );
  const texts = [...heads, ...blocks.map(({ text }) => text), ...(foot ? [foot.text] : []), product];
  return { subject, text: `${texts.filter((text) => text !== "").join("\n\n")}\n`, html: htmlOf(parts) };
}

function htmlOf(parts: LetterParts): string {
  const { language, sender, title, severity = null, preview = null, isWide = false, blocks, foot } = parts;
  const width = isWide ? 1_000 : 600;
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escaped(title)}</title><style>${styleSheet}</style>`,
  ];
  const hidden = "display:none;max-height:0;overflow:hidden;mso-hide:all";
  const first = preview === null ? "" : `<div style="${hidden}">${escaped(preview)}</div>`;
  const card = [
    ...(severity === null || severity.word === null ? [] : [severityHtml(severity.level, severity.word)]),
    `<h1 ${look("title")}>${escaped(title)}</h1>`,
    ...blocks.map(({ html }) => html),
  ];
  const last = [...(foot ? [foot.html] : []), ...(sender === null ? [] : [product])].join("<br>");
  const rows = [
    `<tr><td ${look("sender")}>${escaped(sender ?? product)}</td></tr>`,
    `<tr><td ${lookMarked("card", severity?.level ?? null, "top")}>${card.join("")}</td></tr>`,
    `<tr><td ${look("foot")}>${last}</td></tr>`,
  ];
  const frame = `<table ${layout} width="100%" class="frame" style="max-width:${width}px;table-layout:fixed;text-align:left">${rows.join("")}</table>`;
  // Of Outlook's own: it knows no greatest width.
  const bounded = `<!--[if mso]><table ${layout} width="${width}"><tr><td><![endif]-->${frame}<!--[if mso]></td></tr></table><![endif]-->`;
  const page = `<table ${layout} width="100%" ${look("page")}><tr><td align="center" style="padding:20px 10px">${bounded}</td></tr></table>`;
  const article = `<div role="article" lang="${language}" aria-label="${escaped(title)}">${page}</div>`;
  return `<!doctype html><html lang="${language}"><head>${head.join("")}</head><body ${look("page")}>${first}${article}</body></html>`;
}

/** A table that only places things: it is not read out as one. */
const layout = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

export function paragraphBlocks(...texts: readonly string[]): LetterBlock[] {
  return texts.map((text) => ({ text, html: `<p ${look("paragraph")}>${escaped(text)}</p>` }));
}

/** What is to be done now, if it is to be done at all: one in a mail. */
export function buttonBlock([text, url]: LetterLink): LetterBlock {
  const action = `<a href="${escaped(url)}" ${look("action")}>${escaped(text)}</a>`;
  return {
    text: `${text}:\n${url}`,
    html: `<table ${layout} class="screen" style="margin:18px 0 16px"><tr><td ${look("button")}>${action}</td></tr></table>`,
  };
}

export type LetterFact = readonly [label: string, value: string];

export function factsBlock(facts: readonly LetterFact[]): LetterBlock {
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td ${look("label")}>${escaped(label)}:</td><td ${look("value")}>${escaped(value)}</td></tr>`,
  );
  return {
    text: facts.map((fact) => fact.join(": ")).join("\n"),
    html: `<table ${layout} ${look("facts")}>${rows.join("")}</table>`,
  };
}

export function severityHtml(severity: Severity, word: string): string {
  return `<p style="margin:0 0 8px"><span ${severityLook(severity)}>${escaped(word)}</span></p>`;
}

/** One of several of a kind, marked with its severity. There may be a hundred, so it is short. */
export function entryHtml(severity: Severity, html: string): string {
  return `<div ${lookMarked("entry", severity, "left")}>${html}</div>`;
}

export function factLinesHtml(facts: readonly LetterFact[]): string {
  return facts.map(([label, value]) => `<b class="name">${escaped(label)}:</b> ${escaped(value)}<br>`).join("");
}

export function partHtml(title: string): string {
  return `<h2 ${look("part")}>${escaped(title)}</h2>`;
}

/** Why the person gets the mail, and where to go from it. Each link is in the text; `below` are those of the HTML. */
export function footOf(last: string, links: readonly LetterLink[], below = links): LetterBlock {
  const text = [last, ...links.map((link) => link.join(": "))].join("\n");
  const lines = below.map(linkHtml).join(" · ");
  return { text, html: `${escaped(last)}<br><span class="screen">${lines}</span>` };
}

export function linkHtml([text, url]: LetterLink): string {
  return `<a href="${escaped(url)}" ${look("link")}>${escaped(text)}</a>`;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
