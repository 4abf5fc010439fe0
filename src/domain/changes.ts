/** What a follower of a fleet is told: the kinds of records, and what a transaction has changed of a device. */

/** Records of the fleet itself: few, changed by people. */
export const fleetTypes = ["device", "geofence", "user", "alert_settings"] as const;
/** What frames lead to, in the order in which the changes of one transaction are told. */
export const trackedTypes = ["position", "reading", "trip", "geofence_event", "alert", "mileage"] as const;

export type FleetType = (typeof fleetTypes)[number];
export type TrackedType = (typeof trackedTypes)[number];
export type ChangeType = FleetType | TrackedType;

export const changeTypes: readonly ChangeType[] = [
  "device",
  "position",
  "trip",
  "alert",
  "reading",
  "geofence",
  "geofence_event",
  "mileage",
  "user",
  "alert_settings",
];

export function isChangeType(text: string): text is ChangeType {
  return (changeTypes as readonly string[]).includes(text);
}

/** What a change is about, roughly: for each topic a viewer's last change is known without looking for it. */
export const topics = ["position", "reading", "trip", "event", "mileage", "record"] as const;
export type Topic = (typeof topics)[number];

export function topicOf(type: ChangeType): Topic {
  switch (type) {
    case "alert":
    case "geofence_event":
      return "event";
    case "device":
    case "geofence":
    case "user":
    case "alert_settings":
      return "record";
    default:
      return type;
  }
}

/**
 * Between these times, both included, records of a device may have changed. The time is that by which its list is
 * ordered; of a day's mileage it is the number of the day.
 */
export type Period = readonly [from: number, until: number];

export const allTime: Period = [0, Number.MAX_SAFE_INTEGER];

/** What one transaction has changed of a device. Periods are in ascending order and apart from each other. */
export interface DeviceChange {
  readonly periods: { readonly [Type in TrackedType]?: readonly Period[] };
  /** Ids of records that are gone. */
  readonly removed: { readonly [Type in TrackedType]?: readonly string[] };
}

/**
 * Changes that are closer together than this become one period: five minutes, a day of mileage. Telling a record again
 * is harmless, and the frames of one message are mostly neighbours.
 */
const nearMs: Readonly<Record<TrackedType, number>> = {
  position: 300_000,
  reading: 300_000,
  trip: 0,
  geofence_event: 0,
  alert: 0,
  mileage: 1,
};

/** With more periods, the closest are joined: a change must stay small, however many frames were judged anew. */
const maxPeriods = 32;

/** Collects what changes of a device. */
export class DeviceChangeBuilder {
  readonly #periods = new Map<TrackedType, Period[]>();
  readonly #removed = new Map<TrackedType, string[]>();

  get isEmpty(): boolean {
    return this.#periods.size === 0 && this.#removed.size === 0;
  }

  /** What it is about so far. */
  topics(): Topic[] {
    return [...this.#periods.keys(), ...this.#removed.keys()].map(topicOf);
  }

  add(type: TrackedType, from: number, until = from): this {
    const periods = this.#periods.get(type);
    const last = periods?.at(-1);
    if (periods === undefined) this.#periods.set(type, [[from, until]]);
    else if (last !== undefined && from >= last[0] && from <= last[1] + nearMs[type])
      periods[periods.length - 1] = [last[0], Math.max(last[1], until)];
    else periods.push([from, until]);
    return this;
  }

  remove(type: TrackedType, ids: readonly string[]): this {
    if (ids.length > 0) this.#removed.set(type, [...(this.#removed.get(type) ?? []), ...ids]);
    return this;
  }

  build(): DeviceChange {
    const periods: Partial<Record<TrackedType, readonly Period[]>> = {};
    for (const [type, all] of this.#periods) periods[type] = all.length === 1 ? all : joined(all, nearMs[type]);
    return { periods, removed: Object.fromEntries(this.#removed) };
  }
}

/** In ascending order, without overlaps, and not too many. */
function joined(periods: readonly Period[], near: number): readonly Period[] {
  const all = [...periods].sort(([one], [other]) => one - other);
  const result: [number, number][] = [];
  for (const [from, until] of all) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + near) last[1] = Math.max(last[1], until);
    else result.push([from, until]);
  }
  return result.length <= maxPeriods ? result : joined(result, widerGap(result, near));
}

/** Enough to join at least half of them. */
function widerGap(periods: readonly Period[], near: number): number {
  const gaps = periods.slice(1).map(([from], index) => from - (periods[index] as Period)[1]);
  return Math.max(near, gaps.sort((one, other) => one - other)[gaps.length >> 1] ?? near);
}

/** Two changes of a device as one. */
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

/** One letter each: a change is stored with almost every frame. */
const letters: Readonly<Record<TrackedType, string>> = {
  position: "p",
  reading: "r",
  trip: "t",
  geofence_event: "g",
  alert: "a",
  mileage: "m",
};

/** What is in the text of every change that is about this type. */
export function mentions(type: TrackedType): readonly string[] {
  return [`"${letters[type]}":`, `"-${letters[type]}":`];
}

/** `{"p":[from,until,from,until],"t":[…],"-t":[id]}` */
export function formatChange({ periods, removed }: DeviceChange): string {
  const content: Record<string, readonly (number | string)[]> = {};
  for (const type of trackedTypes) {
    const own = periods[type];
    if (own !== undefined) content[letters[type]] = own.length === 1 ? (own[0] as Period) : own.flat();
    const gone = removed[type];
    if (gone !== undefined) content[`-${letters[type]}`] = gone;
  }
  return JSON.stringify(content);
}

export function parseChange(text: string): DeviceChange {
  const content = JSON.parse(text) as Record<string, readonly (number | string)[] | undefined>;
  const periods: Partial<Record<TrackedType, Period[]>> = {};
  const removed: Partial<Record<TrackedType, readonly string[]>> = {};
  for (const type of trackedTypes) {
    const times = content[letters[type]] as readonly number[] | undefined;
    if (times !== undefined) {
      periods[type] = Array.from({ length: times.length / 2 }, (_, index): Period => {
        return [times[2 * index] as number, times[2 * index + 1] as number];
      });
    }
    const ids = content[`-${letters[type]}`];
    if (ids !== undefined) removed[type] = ids as readonly string[];
  }
  return { periods, removed };
}

/** The id of a frame, and of a reading of it: the same for the same frame, whenever it is told. */
export function positionId(deviceId: string, { recordedAt, digest }: { recordedAt: number; digest: number }): string {
  return `${deviceId}/${recordedAt.toString(36)}-${digest.toString(36)}`;
}

export function readingId(frameId: string, kind: string, sensor: string): string {
  return `${frameId}/${kind}/${sensor}`;
}

/** Mileage has no id of its own: it is named by its device and date. */
export function mileageId(deviceId: string, date: string): string {
  return `${deviceId}/${date}`;
}
