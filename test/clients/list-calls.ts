import { openApiDocument } from "../../src/api/openapi/document.ts";

/** Names of what a program is given: values are in its arguments, in this order. */
export const givenNames = ["from", "to", "imei", "after", "time", "user"] as const;
type GivenName = (typeof givenNames)[number];

/** A call of an operation that gives data, for a program in any language. */
export interface DataCall {
  readonly operationId: string;
  /** Or one record. */
  readonly isList: boolean;
  readonly tag: string;
  readonly path: string;
  /** Of the path: a text as it is, or one that is given. */
  readonly inPath: readonly { readonly name: string; readonly value: "fuel" | "imei" | "user" }[];
  readonly inQuery: readonly GivenName[];
  /** Of these, the ones that the description requires: some generators have a place of their own for them. */
  readonly required: readonly GivenName[];
  /** All that the operation takes, as described; those of the path first, then what else is required. */
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

const valuesInPath: Readonly<Record<string, "fuel" | "imei" | "user">> = { kind: "fuel", user_id: "user" };

/** Every operation of the description that gives data: all but two, which are about the service. */
export function dataCalls(): DataCall[] {
  return Object.entries(openApiDocument().paths).flatMap(([path, { get }]) => {
    const answer = get.responses["200"];
    if (!answer || !("content" in answer) || path === "/health" || path === "/openapi.json") return [];
    const parameters = get.parameters ?? [];
    const named = JSON.stringify(parameters);
    // One list needs a device. Others would show less with one.
    const isGiven = (name: GivenName) =>
      name === "imei" ? path.endsWith("/history") : named.includes(`"name":"${name}"`);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      name,
      value: valuesInPath[name] ?? "imei",
    }));
    const inQuery = givenNames.filter(isGiven);
    const isRequired = (given: GivenName) =>
      parameters.some(({ name, required }) => name === given && required) ?? false;
    const required = inQuery.filter(isRequired);
    const isList = Object.keys(answer.content ?? {}).length > 1;
    const tag = get.tags?.[0] ?? "";
    const ordered = parameters.toSorted(
      (one, other) => Number(other.required ?? false) - Number(one.required ?? false),
    );
    return [{ operationId: get.operationId, isList, tag, path, inPath, inQuery, required, parameters: ordered }];
  });
}

export type Given = Readonly<Record<GivenName, string>> & { readonly url: string; readonly key: string };

/** How many rows each list has, by plain requests, and the first of each; one record is one row. */
export async function expectedRows({ url, key, ...given }: Given) {
  const rows: Record<string, number> = {};
  const first: Record<string, unknown> = {};
  for (const { operationId, path, inPath, inQuery } of dataCalls()) {
    const filled = inPath.reduce(
      (text, { name, value }) => text.replace(`{${name}}`, value === "fuel" ? value : given[value]),
      path,
    );
    const query = new URLSearchParams(inQuery.map((name): [string, string] => [name, given[name]]));
    const answer = await fetch(`${url}${filled}?${query}`, { headers: { "X-API-Key": key } });
    const { data } = (await answer.json()) as { data: unknown };
    rows[operationId] = Array.isArray(data) ? data.length : 1;
    first[operationId] = Array.isArray(data) ? data[0] : data;
  }
  return { rows, first };
}

/** What is left of the key's limits is another with every call. */
export function unmetered(row: unknown): unknown {
  if (typeof row !== "object" || row === null || !("limits" in row)) return row;
  const { limits: _, ...rest } = row;
  return rest;
}

/** Every field of a row, however a language writes it: an unknown one may be absent, and a time has many forms. */
export function plainFields(value: unknown): unknown {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainFields);
  const known = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(known.map(([name, inner]) => [name, plainFields(inner)]));
}
