import { type Parameter, query } from "../input/parameter.ts";
import type { Route } from "../route.ts";
import type { RpcParams } from "./message.ts";
import { tokensOf } from "./tool-budget.ts";
import type { ToolRow } from "./tool-fields.ts";

/** Of lists that the API gives whole, as the nearest vehicles are. */
export const skippedRows: Parameter<number> = {
  ...query,
  name: "offset",
  description: "Rows to skip, where the result before says that there are more.",
  schema: { type: "integer", minimum: 0, default: 0 },
  example: 60,
  expected: "a whole number, 0 or more",
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};

type Sum = Readonly<Record<string, string>>;

interface Sums {
  /** In the place of an answer that is too long for a model, from the finest to the coarsest. */
  readonly ifLong: readonly Sum[];
  /** In the place of one that is even too long to be read. */
  readonly ifEndless: readonly Sum[];
  /** Where rows still do not fit, those with the most of this come first. */
  readonly largest: string;
}

/** How long answers of a list that the API gives whole are added up, by operation. */
const sums: Readonly<Record<string, Sums>> = {
  reportMileage: {
    ifLong: [{ period: "month" }, { period: "total" }],
    ifEndless: [
      { period: "total", group_by: "tag" },
      { period: "total", group_by: "fleet" },
    ],
    largest: "distance_km",
  },
};

/** What to ask for, one after the other until an answer fits: what was asked, and the same added up. */
export function sumsOf({ operationId, parameters }: Route, given: RpcParams): Pick<Sums, "ifLong" | "ifEndless"> {
  const { ifLong = [], ifEndless = [] } = sums[operationId] ?? {};
  const canAsk = (sum: Sum) => Object.keys(sum).every((name) => parameters.some((one) => one.name === name));
  // What is as coarse as what was asked for changes nothing.
  const asked = ifLong.findLastIndex((sum) => Object.entries(sum).every(([name, value]) => given[name] === value));
  return { ifLong: [{}, ...ifLong.slice(asked + 1).filter(canAsk)], ifEndless: ifEndless.filter(canAsk) };
}

export interface RowRange {
  readonly offset: number;
  /** Rows at most; null: as many as fit. */
  readonly count: number | null;
  readonly maxTokens: number;
}

/** The rows from `offset` that fit, at least one, and how to get the others. */
export function fittingRows(
  { operationId }: Route,
  tool: string,
  all: readonly ToolRow[],
  { offset, count, maxTokens }: RowRange,
): { readonly rows: readonly ToolRow[]; readonly notes: readonly string[] } {
  const isWhole = offset === 0 && (count === null || all.length <= count);
  if (isWhole && tokensOf(JSON.stringify(all)) <= maxTokens) return { rows: all, notes: [] };
  if (offset > 0 && offset >= all.length) return { rows: [], notes: [`There are ${all.length} rows.`] };
  const field = sums[operationId]?.largest;
  const sorted = field === undefined ? all : all.toSorted((one, other) => Number(other[field]) - Number(one[field]));
  const rows: ToolRow[] = [];
  let tokens = 0;
  for (const row of sorted.slice(offset, count === null ? undefined : offset + count)) {
    tokens += tokensOf(`${JSON.stringify(row)},`);
    if (tokens > maxTokens && rows.length > 0) break;
    rows.push(row);
  }
  const end = offset + rows.length;
  const order = field === undefined ? "" : `, the largest ${field} first`;
  const more = end < all.length ? ` Call ${tool} again with the same arguments and offset ${end} for the next.` : "";
  return { rows, notes: [`Rows ${offset + 1} to ${end} of ${all.length}${order}.${more}`] };
}

/** Longer lists inside a record are mostly the points of a shape. */
const maxInnerLength = 2_000;

/** A body whose rows are too long for a model, without the long lists that are in them. */
export function withShortRows<Body extends { readonly data: ToolRow | readonly ToolRow[] }>(body: Body): object {
  const { data } = body;
  return { ...body, data: Array.isArray(data) ? data.map(withoutLongLists) : withoutLongLists(data) };
}

/** What is too long for a model, without the long lists that are in it. */
function withoutLongLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutLongLists(inner)]));
  }
  const inner = value.map(withoutLongLists);
  const { length } = JSON.stringify(inner);
  return length <= maxInnerLength ? inner : `left out, ${value.length} items: the API shows them`;
}
