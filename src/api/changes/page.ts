import type { ChangeType } from "../../domain/changes.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import type { RouteCall } from "../route.ts";
import type { Step, WalkPlace } from "./place.ts";
import { type Walk, walkChanges } from "./walk.ts";

/** A page that finds nothing wanted stops here and goes on with the next one, so that no call takes long. */
const maxSkipped = 10_000;

/**
 * After an empty page a follower goes on where it was, so that its next poll has the same tag. But what was skipped would
 * be skipped again each time: beyond this it moves on.
 */
const manySkipped = 500;

export interface PageWalk extends Walk {
  readonly types: ReadonlySet<ChangeType>;
  readonly device: DeviceIdentity | null;
  /** The number that the follower has everything up to. */
  readonly since: number;
}

export interface ChangesPage {
  readonly records: readonly string[];
  /** Where the next page begins; null after the last. */
  readonly next: WalkPlace | null;
  /** Everything up to this number has been told. */
  readonly toldUntil: number;
}

export async function readChanges(call: RouteCall, walk: PageWalk): Promise<ChangesPage> {
  const records: string[] = [];
  let place = walk.from;
  let skipped = 0;
  for await (const step of walkChanges(call, walk)) {
    if (step.json === null) {
      if (records.length < walk.limit) place = step.place;
      if (++skipped > maxSkipped) return cutAt(records, place, step);
      continue;
    }
    if (records.length === walk.limit) return cutAt(records, place, step);
    records.push(step.json);
    place = step.place;
  }
  const isQuiet = records.length === 0 && skipped <= manySkipped;
  return { records, next: null, toldUntil: isQuiet ? walk.since : walk.until };
}

/** Of the step's number more is to come. */
function cutAt(records: readonly string[], next: WalkPlace, { number }: Step): ChangesPage {
  return { records, next, toldUntil: number - 1 };
}
