/** Text that is HTML already. Everything else is escaped on its way into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Fragment = Html | string | number | null | readonly Fragment[];

const replacements: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A piece of a page: `html`<p>${text}</p>`` . Null is nothing; lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(strings.reduce((text, part, index) => text + toText(values[index - 1] ?? null) + part));
}

function toText(value: Fragment): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(toText).join("");
  return String(value).replace(/[&<>"']/g, (character) => replacements[character] ?? "");
}

export function joinedHtml(fragments: readonly Fragment[], separator: string): Fragment[] {
  return fragments.flatMap((fragment, index) => (index === 0 ? [fragment] : [separator, fragment]));
}
