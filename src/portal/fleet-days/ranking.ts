import type { VehicleDays } from "./vehicle-days.ts";

/** Which vehicles are listed, and in which order. Pure. */

/** By what vehicles are ranked. Null comes last, in either direction. */
const figures = {
  name: () => 0,
  distance: ({ driven }) => driven?.distance_mm ?? 0,
  driving: ({ driven }) => driven?.driving_ms ?? 0,
  idle: ({ driven }) => driven?.idle_ms ?? 0,
  trips: ({ driven }) => driven?.trip_count ?? 0,
  max_speed: ({ driven }) => driven?.max_speed_m_per_h ?? null,
  speeding: ({ alerts }) => alerts?.speeding_ms ?? 0,
  speeding_count: ({ alerts }) => alerts?.speeding_count ?? 0,
  fuel_taken: ({ alerts }) => alerts?.refill_l ?? null,
  fuel_lost: ({ alerts }) => alerts?.drain_l ?? null,
  // First those of which the reason is known; then vehicles that were never heard of, which are silent for longest.
  last_seen: ({ device, isFaulty }) => (isFaulty ? -1 : (device.last_seen_at ?? 0)),
} satisfies Readonly<Record<string, (vehicle: VehicleDays) => number | null>>;

export type FleetDaysSort = keyof typeof figures;
export const sorts = Object.keys(figures) as [FleetDaysSort, ...FleetDaysSort[]];

export const shows = ["drove", "still", "silent", "retired", "speeding", "fuel"] as const;
export type ShownGroup = (typeof shows)[number];

export interface Ranking {
  readonly sort: FleetDaysSort;
  readonly isDescending: boolean;
}

/** The order in which each group is looked at, unless another is asked for. */
export const usualSort: Readonly<Record<ShownGroup | "all", FleetDaysSort>> = {
  all: "distance",
  drove: "distance",
  still: "name",
  silent: "last_seen",
  retired: "name",
  speeding: "speeding",
  fuel: "fuel_lost",
};

/** The others begin with the greatest. */
export const ascendingSorts: ReadonlySet<FleetDaysSort> = new Set(["name", "last_seen"]);

export function usualRanking(show: ShownGroup): Ranking {
  const sort = usualSort[show];
  return { sort, isDescending: !ascendingSorts.has(sort) };
}

export function isInGroup(vehicle: VehicleDays, show: ShownGroup | null): boolean {
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
  readonly value: number | null;
  readonly name: string;
  readonly id: string;
}

function keyOf(vehicle: VehicleDays, sort: FleetDaysSort): RankKey {
  const { name, id } = vehicle.device;
  return { value: figures[sort](vehicle), name, id };
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
