import { Failure } from "../../domain/errors.ts";

export interface XmlListener {
  /** Names are without their prefix. `attributes` is the text of them, as it stands in the tag. */
  open(name: string, attributes: string, line: number): void;
  close(name: string): void;
  text(text: string): void;
}

/** No tag of a track is nearly as long; a file that is no XML must not fill the memory. */
const longestMarkup = 1024 * 1024;
const longestOpening = "<![CDATA[".length;
const namedEntities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/**
 * Reads the tags and text of XML as it arrives in pieces. It is as much of XML as tracks use: declarations, comments and
 * processing instructions are skipped, entities that the file itself declares are not known.
 */
export class XmlScanner {
  readonly #listener: XmlListener;
  #rest = "";
  #line = 1;

  constructor(listener: XmlListener) {
    this.#listener = listener;
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (;;) {
      const begin = text.indexOf("<", at);
      const end = begin < 0 ? -1 : endOfMarkup(text, begin);
      if (end < 0) break;
      if (begin > at) this.#listener.text(unescaped(text.slice(at, begin)));
      this.#line += newlines(text, at, begin);
      this.#markup(text.slice(begin, end));
      this.#line += newlines(text, begin, end);
      at = end;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > longestMarkup) {
      throw new Failure(
        "FILE_UNREADABLE",
        `line ${this.#line}: expected XML, got ${longestMarkup} characters without a tag`,
      );
    }
  }

  end(): void {
    if (this.#rest.trim() !== "")
      throw new Failure("FILE_UNREADABLE", `line ${this.#line}: the XML ends in the middle`);
  }

  #markup(markup: string): void {
    const second = markup[1];
    if (second === "?") return;
    if (second === "!") {
      if (markup.startsWith("<![CDATA[")) this.#listener.text(markup.slice(longestOpening, -3));
      return;
    }
    if (second === "/") {
      this.#listener.close(localName(markup.slice(2, -1).trim()));
      return;
    }
    const isEmpty = markup.endsWith("/>");
    const inside = markup.slice(1, isEmpty ? -2 : -1);
    const space = inside.search(/\s/);
    const name = localName(space < 0 ? inside : inside.slice(0, space));
    this.#listener.open(name, space < 0 ? "" : inside.slice(space), this.#line);
    if (isEmpty) this.#listener.close(name);
  }
}

/** The value of an attribute in the text of a tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found === null ? undefined : unescaped(found[1] ?? found[2] ?? "");
}

/** Where the markup that begins here is over, or -1 if more text is needed to tell. */
function endOfMarkup(text: string, begin: number): number {
  if (text[begin + 1] === "!") {
    if (text.length - begin < longestOpening) return -1;
    if (text.startsWith("<!--", begin)) return after(text, "-->", begin + 4);
    if (text.startsWith("<![CDATA[", begin)) return after(text, "]]>", begin + longestOpening);
  }
  if (text[begin + 1] === "?") return after(text, "?>", begin + 2);
  let quote = "";
  let brackets = 0;
  for (let index = begin + 1; index < text.length; index++) {
    const character = text[index] as string;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "[") brackets++;
    else if (character === "]") brackets--;
    else if (character === ">" && brackets <= 0) return index + 1;
  }
  return -1;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? -1 : found + mark.length;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function newlines(text: string, begin: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", begin); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return Object.hasOwn(namedEntities, name) ? (namedEntities[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
