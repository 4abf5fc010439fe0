import { Failure } from "../domain/errors.ts";
import type { Match } from "./match.ts";
import { Input, type Parameter } from "./parameter.ts";

/** Reads what the route describes, and names everything that is wrong in one message. What it does not know it ignores. */
export function readInput({ route, values }: Match, query: string): Input {
  const read = new Map<Parameter<unknown>, unknown>();
  let pathIndex = 0;
  for (const parameter of route.parameters) {
    if (parameter.in === "path") read.set(parameter, values[pathIndex++]);
  }
  if (query === "") return new Input(read);

  const problems: string[] = [];
  const search = new URLSearchParams(query);
  for (const parameter of route.parameters) {
    if (parameter.in !== "query" || !search.has(parameter.name)) continue;
    const texts = search.getAll(parameter.name);
    const [text = ""] = texts;
    if (texts.length > 1) {
      problems.push(`${parameter.name}: expected once, got ${texts.length} times`);
    } else if (text === "") {
      if (!parameter.emptyIsAbsent) problems.push(`${parameter.name}: expected ${parameter.expected}, got nothing`);
    } else {
      const value = parameter.read(text);
      if (value === undefined) problems.push(`${parameter.name}: expected ${parameter.expected}, got ${quoted(text)}`);
      else read.set(parameter, value);
    }
  }
  if (problems.length > 0) throw new Failure("INVALID_REQUEST", problems.join("; "));
  return new Input(read);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
