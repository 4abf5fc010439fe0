import type { UsageRow } from "../../both-sides/contract/keys.ts";

/** Counts of calls, added up in the ways in which the page shows them. Pure. */
export const countNames = ["requests", "not_modified", "refused", "errors"] as const;

export type Counts = Readonly<Record<(typeof countNames)[number], number>>;

export function total(rows: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => rows.reduce((before, row) => before + row[name], 0);
  return {
    requests: sum("requests"),
    not_modified: sum("not_modified"),
    refused: sum("refused"),
    errors: sum("errors"),
  };
}

export interface UsageGroup extends Counts {
  readonly name: string;
}

/** The name of a key, with its prefix if two keys have the same name: a successor has the name of the key before it. */
export function keyWords(rows: readonly UsageRow[]): (row: UsageRow) => string {
  const idByName = new Map(rows.map(({ key_name, key_id }) => [key_name, key_id]));
  const shared = new Set(rows.filter((row) => idByName.get(row.key_name) !== row.key_id).map((row) => row.key_name));
  return ({ key_name, key_prefix }) => (shared.has(key_name) ? `${key_name} (${key_prefix}…)` : key_name);
}

/** One row for each name, the busiest first. */
export function grouped(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string): UsageGroup[] {
  return [...Map.groupBy(rows, nameOf)]
    .map(([name, of]) => ({ name, ...total(of) }))
    .sort((left, right) => right.requests - left.requests || left.name.localeCompare(right.name));
}

/** More colours would look alike; the rest becomes one series. */
const maxSeries = 5;

export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

export function seriesByEndpoint(
  days: readonly string[],
  rows: readonly UsageRow[],
  otherName: string,
  counted: keyof Counts = "requests",
): Series[] {
  const busiest = grouped(rows, ({ endpoint }) => endpoint)
    .toSorted((left, right) => right[counted] - left[counted])
    .slice(0, maxSeries);
  const names = new Set(busiest.map(({ name }) => name));
  const byName = Map.groupBy(rows, ({ endpoint }) => (names.has(endpoint) ? endpoint : otherName));
  return [...byName]
    .map(([name, of]) => {
      const byDay = Map.groupBy(of, ({ date }) => date);
      return { name, values: days.map((day) => total(byDay.get(day) ?? [])[counted]) };
    })
    .sort((left, right) => rank(left.name) - rank(right.name));

  function rank(name: string): number {
    const place = busiest.findIndex((group) => group.name === name);
    return place < 0 ? maxSeries : place;
  }
}
