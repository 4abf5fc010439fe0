import type { DeviceChange, Period } from "./device-change.ts";
import { type TrackedType, trackedTypes } from "./types.ts";

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
