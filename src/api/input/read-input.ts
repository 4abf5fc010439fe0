import { Failure } from "../../domain/errors.ts";
import { Input, type Parameter } from "./parameter.ts";
import { valuesByName } from "./query.ts";

/** Reads the parameters that a route describes, and reports everything that is wrong. Ignores unknown ones. */
export function readInput(
  parameters: readonly Parameter<unknown>[],
  pathValues: readonly string[],
  query: string,
): { readonly input: Input; readonly problems: readonly string[] } {
  const read = new Map<Parameter<unknown>, unknown>();
  const wrong = new Set<Parameter<unknown>>();
  const problems: string[] = [];
  const given = valuesByName(query);
  let pathIndex = 0;
  for (const parameter of parameters) {
    if (parameter.in === "path") read.set(parameter, pathValues[pathIndex++]);
    const texts = parameter.in === "query" ? given.get(parameter.name) : undefined;
    if (texts === undefined) continue;
    const result = isMalformed(query, parameter.name)
      ? { problem: "percent-encoded UTF-8" }
      : readValue(parameter, texts);
    if (result.problem !== undefined) {
      wrong.add(parameter);
      problems.push(`${parameter.name}: expected ${result.problem}`);
    } else if (result.value !== undefined) read.set(parameter, result.value);
  }
  return { input: new Input(read, wrong), problems };
}

/** One message names everything that is wrong. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw new Failure("INVALID_REQUEST", problems.join("; "));
}

/** `URLSearchParams` never fails: it inserts a replacement character for what cannot be decoded. */
function isMalformed(query: string, name: string): boolean {
  if (!query.includes("%")) return false;
  return query.split("&").some((pair) => {
    if (!pair.startsWith(`${name}=`)) return false;
    try {
      decodeURIComponent(pair);
      return false;
    } catch {
      return true;
    }
  });
}

/** The value of a parameter that the request names, or a problem; neither if it counts as absent. */
function readValue(
  { expected, emptyIsAbsent, read }: Parameter<unknown>,
  [text = "", ...others]: readonly string[],
): { readonly value?: unknown; readonly problem?: string } {
  if (others.length > 0) return { problem: `once, got ${others.length + 1} times` };
  if (text === "") return emptyIsAbsent ? {} : { problem: `${expected}, got nothing` };
  const value = read(text);
  return value === undefined ? { problem: `${expected}, got ${quoted(text)}` } : { value };
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
