import type { Period } from "../../domain/changes/device-change.ts";
import { type TrackedType, trackedTypes } from "../../domain/changes/types.ts";
import type { LoggedChange } from "../../store/changes/changes.ts";

/** A single record's part of an entry: a trip in progress, a day. */
export function repeatedKey({ number, device }: LoggedChange, type: TrackedType, [from, until]: Period): string {
  return `${number} ${device} ${type} ${from} ${until}`;
}

/**
 * The parts of these entries that a later one has again: a trip in progress changes with every frame, and is told once.
 * Positions are not worth looking for: each is mostly told once.
 */
export function repeatedLater(entries: readonly LoggedChange[]): string[] {
  const later = new Set<string>();
  const repeated: string[] = [];
  for (const entry of entries.toReversed()) {
    for (const type of trackedTypes) {
      if (type === "position" || type === "reading") continue;
      for (const period of entry.change.periods[type] ?? []) {
        const what = `${entry.device} ${type} ${period[0]} ${period[1]}`;
        if (later.has(what)) repeated.push(repeatedKey(entry, type, period));
        later.add(what);
      }
    }
  }
  return repeated;
}
