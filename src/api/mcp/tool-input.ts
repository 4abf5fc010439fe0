import { limit } from "../input/parameters.ts";
import { refuseProblems } from "../input/read-input.ts";
import type { RpcParams } from "./message.ts";
import { isPaged, type Tool, toolRows } from "./tools.ts";

/**
 * A model's arguments as a request for the route, which checks the values. Here only what a query could not express is
 * refused, and names that the route does not know: a misspelt filter that is ignored would give an answer about more than
 * was asked.
 */
export function toolInput({ route, parameters }: Tool, given: RpcParams) {
  const names = parameters.map(({ name }) => name);
  const problems = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `${name}: there is no such argument; there are ${names.join(", ")}`);
  const values: string[] = [];
  const query = new URLSearchParams();
  for (const { name, in: place, required, isCommaList } of parameters) {
    // Many models send null for what they leave out.
    const value = given[name] ?? null;
    const text = value === null ? null : isCommaList && Array.isArray(value) ? joined(value) : textOf(value);
    if (text === undefined) problems.push(`${name}: expected a single value, got ${kindOf(value)}`);
    else if (required && !text) problems.push(`${name}: expected a value, got nothing`);
    else if (place === "path") values.push(text ?? "");
    else if (text !== null) query.set(name, text);
  }
  refuseProblems(problems);
  // A cursor carries the limit of the first page.
  if (isPaged(route) && !query.get("cursor") && !query.has(limit.name)) query.set(limit.name, String(toolRows));
  return { values, query: query.toString() };
}

/** Undefined for what is no single value. */
function textOf(value: unknown): string | undefined {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function joined(values: readonly unknown[]): string | undefined {
  const texts = values.map(textOf);
  return texts.includes(undefined) ? undefined : texts.join(",");
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : "an object";
}
