import { dayOf } from "../time/time.ts";
import type { ChangedPeriod, DeviceChange } from "./device-change.ts";
import { type TrackedType, trackedTypes } from "./types.ts";

/** One letter each: a change is stored with almost every frame. `d` is a device, see change-group.ts. */
const letters: Readonly<Record<TrackedType, string>> = {
  position: "p",
  reading: "r",
  trip: "t",
  stop: "s",
  geofence_event: "g",
  alert: "a",
  mileage: "m",
};
const typeOf = new Map(trackedTypes.map((type) => [letters[type], type]));

/** What is in the text of every change that is about this type. In that of another it may be by chance. */
export function mention(type: TrackedType): string {
  return letters[type];
}

/**
 * A change that was committed at this time. Almost always it is about one period of each type, and nothing is removed: then
 * it is `p-1500t-65000+7m0`, with periods as milliseconds (for mileage: days) from that time, and their length if they have
 * one. Otherwise it is JSON: `{"p":[from,until,from,until],"t":[…],"-t":[id]}`.
 */
export function formatChange(change: DeviceChange, at: number): string {
  return shortText(change, at) ?? jsonOf(change);
}

export function parseChange(text: string, at: number): DeviceChange {
  return isShort(text) ? parseShort(text, at) : parseJson(text);
}

export function isShort(text: string): boolean {
  return !text.startsWith("{");
}

function shortText({ periods, removed }: DeviceChange, at: number): string | null {
  for (const type of trackedTypes) if (removed[type] !== undefined) return null;
  let text = "";
  for (const type of trackedTypes) {
    const own = periods[type];
    if (own === undefined) continue;
    const [first, second] = own;
    if (first === undefined || second !== undefined) return null;
    const [from, until] = first;
    text += `${letters[type]}${from - originOf(type, at)}${until === from ? "" : `+${until - from}`}`;
  }
  return text;
}

function parseShort(text: string, at: number): DeviceChange {
  const periods: Partial<Record<TrackedType, ChangedPeriod[]>> = {};
  for (const [, letter = "", offset, length = 0] of text.matchAll(/([a-z])(-?\d+)(?:\+(\d+))?/g)) {
    const type = typeOf.get(letter);
    if (type === undefined) continue;
    const from = originOf(type, at) + Number(offset);
    periods[type] = [[from, from + Number(length)]];
  }
  return { periods, removed: {} };
}

function originOf(type: TrackedType, at: number): number {
  return type === "mileage" ? dayOf(at) : at;
}

function jsonOf({ periods, removed }: DeviceChange): string {
  const content: Record<string, readonly (number | string)[]> = {};
  for (const type of trackedTypes) {
    const own = periods[type];
    if (own !== undefined) content[letters[type]] = own.flat();
    const gone = removed[type];
    if (gone !== undefined) content[`-${letters[type]}`] = gone;
  }
  return JSON.stringify(content);
}

function parseJson(text: string): DeviceChange {
  const content = JSON.parse(text) as Record<string, readonly (number | string)[] | undefined>;
  const periods: Partial<Record<TrackedType, ChangedPeriod[]>> = {};
  const removed: Partial<Record<TrackedType, readonly string[]>> = {};
  for (const type of trackedTypes) {
    const times = content[letters[type]] as readonly number[] | undefined;
    if (times !== undefined) {
      periods[type] = Array.from({ length: times.length / 2 }, (_, index): ChangedPeriod => {
        return [times[2 * index] as number, times[2 * index + 1] as number];
      });
    }
    const ids = content[`-${letters[type]}`];
    if (ids !== undefined) removed[type] = ids as readonly string[];
  }
  return { periods, removed };
}

/** The short text of a device's change (change-text.ts). */
export interface GroupedChange {
  readonly device: number;
  readonly text: string;
}

/**
 * Changes of several devices in one text, in descending order of the devices: `d512p-1500m0d2p-1480m0` is of device 512
 * and of device 510. A row of its own for each would be three times as large, or five times in PostgreSQL.
 */
export function formatGroup(changes: readonly GroupedChange[]): string {
  let text = "";
  let before: number | null = null;
  for (const { device, text: own } of changes) {
    text += `d${before === null ? device : before - device}${own}`;
    before = device;
  }
  return text;
}

export function parseGroup(text: string): GroupedChange[] {
  const changes: GroupedChange[] = [];
  let before: number | null = null;
  for (const [, number, own = ""] of text.matchAll(/d(\d+)([^d]*)/g)) {
    const device: number = before === null ? Number(number) : before - Number(number);
    changes.push({ device, text: own });
    before = device;
  }
  return changes;
}
