import { type Fragment, type Html, html } from "./html.ts";
import { jsonParts, layOut } from "./json-text.ts";
import type { SampleCall, SampleValues } from "./samples/call.ts";
import { sampleOf } from "./samples/samples.ts";

export interface ProseSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** The little Markdown that descriptions use: `code`, and paragraphs separated by an empty line. */
export function paragraphs(markdown: string): Html[] {
  return markdown.split(/\n\n+/).map((text) => html`<p>${inline(text)}</p>`);
}

export function inline(markdown: string): Fragment[] {
  // The odd parts are between backticks.
  return markdown.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** A heading that can be linked to: its own link follows it. */
export function heading(level: 2 | 3 | 4, id: string, text: Fragment, name: string): Html {
  const link = html`<a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a>`;
  if (level === 2) return html`<h2 id="${id}">${text} ${link}</h2>`;
  if (level === 3) return html`<h3 id="${id}">${text} ${link}</h3>`;
  return html`<h4 id="${id}">${text} ${link}</h4>`;
}

/** A block of code with a label above it. It can be scrolled by keyboard. */
export function codeBlock(label: string, code: Fragment): Html {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

export function renderJson(value: unknown): Fragment {
  return jsonParts(layOut(value)).map(([kind, text]) =>
    kind === "plain" ? text : html`<span class="${kind}">${text}</span>`,
  );
}

/** A call with curl. The page's script offers it in the other languages. */
export function sampleBlock(call: SampleCall, values: SampleValues = {}): Html {
  const entered = new URLSearchParams(values).toString();
  return html`<figure class="code" data-sample="${call.operationId}" data-values="${entered}"><figcaption>curl</figcaption>
<pre tabindex="0"><code>${sampleOf("curl", call, values)}</code></pre></figure>`;
}

interface Table {
  /** For screen readers; visible if it distinguishes one table from the next. */
  readonly caption: string;
  readonly isCaptionSeen?: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly Html[];
}

/** Two columns explain themselves: their heads are for screen readers. */
export function tableHtml({ caption, isCaptionSeen = false, columns, rows }: Table): Html {
  const isWide = columns.length > 2;
  const heads = columns.map((column) => html`<th scope="col" class="head">${column}</th>`);
  return html`<table class="${isWide ? "brief" : "long"}">
<caption class="${isCaptionSeen ? "seen" : "unseen"}">${caption}</caption>
<thead class="${isWide ? "seen" : "unseen"}"><tr>${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** The name that a row is about. With an id it links to itself. */
export function rowName(name: Fragment, id: string | null = null): Html {
  const code = html`<code class="name">${name}</code>`;
  return id === null ? code : html`<a class="name-link" href="#${id}">${code}</a>`;
}

/** A name that may break after an underscore, a slash or a dot. */
export function breakable(name: string): Fragment[] {
  return name.split(/(?<=[_/.])/).map((part, index) => (index === 0 ? part : html`<wbr>${part}`));
}
