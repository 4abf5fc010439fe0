import type { VehicleDays } from "./vehicle-days.ts";

/** Which vehicles are listed, and in which order. Pure. */

export const sorts = [
  "name",
  "distance",
  "driving",
  "idle",
  "trips",
  "max_speed",
  "speeding",
  "speeding_count",
  "fuel_taken",
  "fuel_lost",
  "last_seen",
] as const;
export type Sort = (typeof sorts)[number];

export const shows = ["drove", "still", "silent", "retired", "speeding", "fuel"] as const;
export type Show = (typeof shows)[number];

export interface Ranking {
  readonly sort: Sort;
  readonly isDescending: boolean;
}

/** The order in which each group is looked at, unless another is asked for. */
export const usualSort: Readonly<Record<Show | "all", Sort>> = {
  all: "distance",
  drove: "distance",
  still: "name",
  silent: "last_seen",
  retired: "name",
  speeding: "speeding",
  fuel: "fuel_lost",
};

/** The others begin with the greatest. */
export const ascendingSorts: ReadonlySet<Sort> = new Set(["name", "last_seen"]);

export function usualRanking(show: Show): Ranking {
  const sort = usualSort[show];
  return { sort, isDescending: !ascendingSorts.has(sort) };
}

export function isShown(vehicle: VehicleDays, show: Show | null): boolean {
  const { activity, alerts } = vehicle;
  switch (show) {
    case null:
      return true;
    case "speeding":
      return (alerts?.speeding_count ?? 0) > 0;
    case "fuel":
      return (alerts?.refill_count ?? 0) + (alerts?.drain_count ?? 0) > 0;
    default:
      return activity === show;
  }
}

/** Where a vehicle is in the order. Ties are broken by name, then id, so that no vehicle is listed twice or not at all. */
export interface RankKey {
  /** Null comes last, in either direction. Vehicles that were never heard of count as silent for longest. */
  readonly value: number | null;
  readonly name: string;
  readonly id: string;
}

function keyOf(vehicle: VehicleDays, sort: Sort): RankKey {
  const { name, id } = vehicle.device;
  return { value: figureOf(vehicle, sort), name, id };
}

function figureOf({ device, driven, alerts }: VehicleDays, sort: Sort): number | null {
  switch (sort) {
    case "name":
      return 0;
    case "distance":
      return driven?.distance_mm ?? 0;
    case "driving":
      return driven?.driving_ms ?? 0;
    case "idle":
      return driven?.idle_ms ?? 0;
    case "trips":
      return driven?.trip_count ?? 0;
    case "max_speed":
      return driven?.max_speed_m_per_h ?? null;
    case "speeding":
      return alerts?.speeding_ms ?? 0;
    case "speeding_count":
      return alerts?.speeding_count ?? 0;
    case "fuel_taken":
      return alerts?.refill_l ?? null;
    case "fuel_lost":
      return alerts?.drain_l ?? null;
    case "last_seen":
      return device.last_seen_at ?? 0;
  }
}

const names = new Intl.Collator("en", { numeric: true });

function compareKeys(one: RankKey, other: RankKey, { sort, isDescending }: Ranking): number {
  const byName = names.compare(one.name, other.name) || compare(one.id, other.id);
  if (sort === "name") return isDescending ? -byName : byName;
  if (one.value === null || other.value === null) {
    return Number(one.value === null) - Number(other.value === null) || byName;
  }
  const byValue = compare(one.value, other.value);
  return (isDescending ? -byValue : byValue) || byName;
}

function compare<Value extends number | string>(one: Value, other: Value): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export interface RankedPage {
  readonly vehicles: readonly VehicleDays[];
  /** The last of them, if there are more. */
  readonly last: RankKey | null;
}

/** The next vehicles after a place in the order. The place need not be a vehicle's any more: figures of today change. */
export function rankedPage(
  vehicles: readonly VehicleDays[],
  ranking: Ranking,
  { after, limit }: { readonly after: RankKey | null; readonly limit: number },
): RankedPage {
  const ranked = vehicles
    .map((vehicle) => ({ vehicle, key: keyOf(vehicle, ranking.sort) }))
    .filter(({ key }) => after === null || compareKeys(key, after, ranking) > 0)
    .sort((one, other) => compareKeys(one.key, other.key, ranking));
  const page = ranked.slice(0, limit);
  return {
    vehicles: page.map(({ vehicle }) => vehicle),
    last: ranked.length > limit ? (page.at(-1)?.key ?? null) : null,
  };
}
