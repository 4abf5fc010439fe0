import type { Argument, Values } from "./call.ts";

/** A text as JSON, TypeScript, Python and Go write it alike. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed());
}

/** A value as TypeScript and Python write it; they differ in `true` and `false`. */
export function literal({ parameter: { kind }, value }: Argument, booleans: Values): string {
  if (kind === "integer" && /^-?\d{1,15}$/.test(value)) return String(Number(value));
  if (kind === "list") return `[${value.split(",").map(quoted).join(", ")}]`;
  return (kind === "boolean" && booleans[value]) || quoted(value);
}

/** The parts of a call in one line if they fit, otherwise each in a line of its own. */
export function wrapped(before: string, parts: readonly string[], after: string, indent: string): string {
  const line = before + parts.join(", ") + after;
  if (line.length <= maxLine || parts.length === 0) return line;
  return [before, ...parts.map((part) => `${indent}${part},`), after.trimStart()].join("\n");
}

/** What fits beside the words without scrolling. */
const maxLine = 64;

/** A comment below a request for one page of several. */
export const nextPageHint = "The next page, if there is one, is in the header Link.";
