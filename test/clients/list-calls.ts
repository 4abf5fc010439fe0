import { openApiDocument } from "../../src/api/openapi/document.ts";

/** Names of what a program is given: values are in its arguments, in this order. */
export const givenNames = ["from", "to", "imei", "after", "time"] as const;
type GivenName = (typeof givenNames)[number];

/** A call of a list, for a program in any language. */
export interface ListCall {
  readonly operationId: string;
  readonly tag: string;
  readonly path: string;
  /** Of the path: a text as it is, or one that is given. */
  readonly inPath: readonly { readonly name: string; readonly value: "fuel" | "imei" }[];
  readonly inQuery: readonly GivenName[];
  /** Of these, the ones that the description requires: some generators have a place of their own for them. */
  readonly required: readonly GivenName[];
}

/** Every list of the description: what has more formats than JSON. */
export function listCalls(): ListCall[] {
  return Object.entries(openApiDocument().paths).flatMap(([path, { get }]) => {
    const answer = get.responses["200"];
    if (!answer || !("content" in answer) || Object.keys(answer.content ?? {}).length < 2) return [];
    const named = JSON.stringify(get.parameters ?? []);
    // One list needs a device. Others would show less with one.
    const isGiven = (name: GivenName) =>
      name === "imei" ? path.endsWith("/history") : named.includes(`"name":"${name}"`);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
      name,
      value: name === "kind" ? ("fuel" as const) : ("imei" as const),
    }));
    const inQuery = givenNames.filter(isGiven);
    const isRequired = (given: GivenName) =>
      get.parameters?.some(({ name, required }) => name === given && required) ?? false;
    const required = inQuery.filter(isRequired);
    return [{ operationId: get.operationId, tag: get.tags?.[0] ?? "", path, inPath, inQuery, required }];
  });
}

export type Given = Readonly<Record<GivenName, string>> & { readonly url: string; readonly key: string };

/** How many rows each list has, by plain requests, and the first of each. */
export async function expectedRows({ url, key, ...given }: Given) {
  const rows: Record<string, number> = {};
  const first: Record<string, unknown> = {};
  for (const { operationId, path, inPath, inQuery } of listCalls()) {
    const filled = inPath.reduce(
      (text, { name, value }) => text.replace(`{${name}}`, value === "fuel" ? value : given[value]),
      path,
    );
    const query = new URLSearchParams(inQuery.map((name): [string, string] => [name, given[name]]));
    const answer = await fetch(`${url}${filled}?${query}`, { headers: { "X-API-Key": key } });
    const { data } = (await answer.json()) as { data: unknown[] };
    rows[operationId] = data.length;
    first[operationId] = data[0];
  }
  return { rows, first };
}

/** Every field of a row, however a language writes it: an unknown one may be absent, and a time has many forms. */
export function plainFields(value: unknown): unknown {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainFields);
  const known = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(known.map(([name, inner]) => [name, plainFields(inner)]));
}
