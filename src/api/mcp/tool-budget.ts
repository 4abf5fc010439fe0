import type { Route } from "../route.ts";
import { pickedRows, type ToolRow } from "./tool-fields.ts";

/** What a model reads as one token of our JSON, about: numbers and times take more than prose does, and ids most of all. */
const charactersPerToken = 2.5;
const tokensPerId = 24;
const ids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const idLength = 36;

/** Most questions are answered with less. */
const usualTokens = 3_000;
/** For a model that names a `limit`. Clients warn of longer answers, and cut off those of 25,000. */
const longestTokens = 10_000;
/** A page without a `limit` leaves room for notes and the cursor. */
const pageTokens = 2_500;
const maxPageRows = 50;

export function tokensOf(text: string): number {
  const count = text.match(ids)?.length ?? 0;
  return Math.ceil((text.length - count * idLength) / charactersPerToken + count * tokensPerId);
}

/** What the result says besides: the window, sums, how to go on. */
const notesTokens = 150;

/** What a body may cost. */
export function maxBodyTokens(isLimitNamed: boolean): number {
  return (isLimitNamed ? longestTokens : usualTokens) - notesTokens;
}

/** How many tokens a row of the route's example has, or its only record. */
function rowTokens(route: Route): number {
  const { data } = route.example.response as { readonly data: ToolRow | readonly ToolRow[] };
  if (!isRows(data)) return tokensOf(JSON.stringify(data));
  // Tools ask for names, which examples lack; most trackers send no driver, which examples have.
  const [row = {}] = pickedRows(route, [{ device_name: "Truck 12", ...data[0], driver_name: null }], "");
  return tokensOf(JSON.stringify(row));
}

/** Rows of a page, unless the model asks for more. A model reads, and its user pays for, every row. */
export function pageRows(route: Route): number {
  return Math.min(maxPageRows, Math.floor(pageTokens / rowTokens(route)));
}

export function isList({ example }: Route): boolean {
  return isRows((example.response as { readonly data: unknown }).data);
}

/** What a tool costs, for its description. */
export function costText(route: Route): string {
  const each = `About ${rowTokens(route)} tokens`;
  if (!isList(route)) return `${each}.`;
  return `${each} a row${isPaged(route) ? `, ${pageRows(route)} a page; more by \`next_cursor\`` : ""}.`;
}

/** What holds for every tool, and is said once. */
export const budgetText =
  `An answer has at most ${thousands(usualTokens)} tokens, or ${thousands(longestTokens)} with a \`limit\` of your own; what does ` +
  "not fit is cut or added up, and the result says how to get the rest.";

export function isPaged({ parameters }: Route): boolean {
  return parameters.some(({ name }) => name === "cursor");
}

function thousands(tokens: number): string {
  return tokens.toLocaleString("en");
}

function isRows(data: unknown): data is readonly ToolRow[] {
  return Array.isArray(data);
}
