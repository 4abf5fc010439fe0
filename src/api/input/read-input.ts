import { Failure } from "../../domain/errors.ts";
import { Input, type Parameter } from "./parameter.ts";

/** Reads the parameters that a route describes, and reports everything that is wrong, and what it ignores: unknown ones. */
export function readInput(
  parameters: readonly Parameter<unknown>[],
  pathValues: readonly string[],
  query: string,
): { readonly input: Input; readonly problems: readonly string[]; readonly ignored: readonly string[] } {
  const read = new Map<Parameter<unknown>, unknown>();
  const wrong = new Set<Parameter<unknown>>();
  const problems: string[] = [];
  const given = valuesByName(query);
  const ignored = new Set(given.keys());
  ignored.delete("");
  let pathIndex = 0;
  for (const parameter of parameters) {
    if (parameter.in === "path") read.set(parameter, pathValues[pathIndex++]);
    const texts = parameter.in === "query" ? given.get(parameter.name) : undefined;
    if (texts === undefined) continue;
    ignored.delete(parameter.name);
    const result = isMalformed(query, parameter.name)
      ? { problem: "percent-encoded UTF-8" }
      : readValue(parameter, texts);
    if (result.problem !== undefined) {
      wrong.add(parameter);
      problems.push(`${parameter.name}: expected ${result.problem}`);
    } else if (result.value !== undefined) read.set(parameter, result.value);
  }
  return { input: new Input(read, wrong), problems, ignored: [...ignored] };
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

/** Characters that must be decoded: all but printable ASCII, and of that `%` and `+`. */
const mayNeedDecoding = /[^!-$&-*,-~]/;

/** As `URLSearchParams` reads them. A query with nothing to decode is split by hand, in half the time. */
export function valuesByName(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  if (query.startsWith("?") || mayNeedDecoding.test(query)) {
    for (const [name, value] of new URLSearchParams(query)) add(values, name, value);
    return values;
  }
  for (let start = 0, end = 0; start < query.length; start = end + 1) {
    end = endOf("&", query, start, query.length);
    const nameEnd = endOf("=", query, start, end);
    if (end > start) add(values, query.slice(start, nameEnd), query.slice(nameEnd + 1, end));
  }
  return values;
}

/** The index of the character that ends a part, or the bound if there is none before it. */
function endOf(sign: string, query: string, start: number, bound: number): number {
  const at = query.indexOf(sign, start);
  return at < 0 || at > bound ? bound : at;
}

function add(values: Map<string, string[]>, name: string, value: string): void {
  const others = values.get(name);
  if (others) others.push(value);
  else values.set(name, [value]);
}
