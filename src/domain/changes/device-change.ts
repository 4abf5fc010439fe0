import { type TrackedType, trackedTypes } from "./types.ts";

/** Times, both included, between which records may have changed: as their list is ordered; of mileage, day numbers. */
export type ChangedPeriod = readonly [from: number, until: number];

export const allTime: ChangedPeriod = [0, Number.MAX_SAFE_INTEGER];

/** What one transaction has changed of a device. Periods are in ascending order and apart from each other. */
export interface DeviceChange {
  readonly periods: { readonly [Type in TrackedType]?: readonly ChangedPeriod[] };
  /** Ids of records that are gone. */
  readonly removed: { readonly [Type in TrackedType]?: readonly string[] };
}

/** Changes closer together become one period: reporting a record twice is harmless, and frames are mostly neighbours. */
const nearMs: Readonly<Record<TrackedType, number>> = {
  position: 300_000,
  reading: 300_000,
  trip: 0,
  stop: 0,
  geofence_event: 0,
  alert: 0,
  mileage: 1,
};

/** With more periods, the closest are joinedPeriods: a change must stay small, however many frames were judged anew. */
const maxPeriods = 32;

/**
 * Records that show something under another name are scattered among others, and a follower gets them alone. A person
 * renames rarely, so the change may be long: 30 bytes each.
 */
const maxNamed = 5_000;

const nothingRemoved: DeviceChange["removed"] = {};

export class DeviceChangeBuilder {
  readonly #periods = new Map<TrackedType, [from: number, until: number][]>();
  readonly #removed = new Map<TrackedType, string[]>();
  #maxPeriods = maxPeriods;

  get isEmpty(): boolean {
    return this.#periods.size === 0 && this.#removed.size === 0;
  }

  /** What it is about so far. */
  types(): TrackedType[] {
    return [...this.#periods.keys(), ...this.#removed.keys()];
  }

  add(type: TrackedType, from: number, until = from): this {
    const periods = this.#periods.get(type);
    const last = periods?.at(-1);
    if (periods === undefined) this.#periods.set(type, [[from, until]]);
    else if (last !== undefined && from >= last[0] && from <= last[1] + nearMs[type])
      last[1] = Math.max(last[1], until);
    else periods.push([from, until]);
    return this;
  }

  /** One of the records that show another name from now on. */
  addNamed(type: TrackedType, at: number): this {
    this.#maxPeriods = maxNamed;
    return this.add(type, at);
  }

  remove(type: TrackedType, ids: readonly string[]): this {
    if (ids.length > 0) this.#removed.set(type, [...(this.#removed.get(type) ?? []), ...ids]);
    return this;
  }

  build(): DeviceChange {
    const periods: Partial<Record<TrackedType, readonly ChangedPeriod[]>> = {};
    for (const [type, all] of this.#periods)
      periods[type] = all.length === 1 ? all : joinedPeriods(all, nearMs[type], this.#maxPeriods);
    return { periods, removed: this.#removed.size === 0 ? nothingRemoved : Object.fromEntries(this.#removed) };
  }
}

/** In ascending order, without overlaps, and not too many. */
function joinedPeriods(periods: readonly ChangedPeriod[], near: number, max: number): readonly ChangedPeriod[] {
  const all = [...periods].sort(([one], [other]) => one - other);
  const result: [number, number][] = [];
  for (const [from, until] of all) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + near) last[1] = Math.max(last[1], until);
    else result.push([from, until]);
  }
  return result.length <= max ? result : joinedPeriods(result, widerGap(result, near), max);
}

/** Enough to join at least half of them. */
function widerGap(periods: readonly ChangedPeriod[], near: number): number {
  const gaps = periods.slice(1).map(([from], index) => from - (periods[index] as ChangedPeriod)[1]);
  return Math.max(near, gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? near);
}

export function mergedChange(one: DeviceChange, other: DeviceChange): DeviceChange {
  const builder = new DeviceChangeBuilder();
  for (const { periods, removed } of [one, other]) {
    for (const type of trackedTypes) {
      for (const [from, until] of periods[type] ?? []) builder.add(type, from, until);
      builder.remove(type, removed[type] ?? []);
    }
  }
  return builder.build();
}
