import type { RouteCall } from "../route.ts";
import type { Step, WalkPlace } from "./place.ts";
import { type Walk, walkChanges } from "./walk.ts";

/** A page that finds little ends after this time and goes on with the next one, so that no call takes long. */
const maxWalkMs = 300;

export interface ChangesPage {
  readonly records: readonly string[];
  /** Where the next page begins; null after the last. */
  readonly next: WalkPlace | null;
  /** Everything up to this number has been told. */
  readonly toldUntil: number;
}

export async function readChanges(call: RouteCall, walk: Walk): Promise<ChangesPage> {
  const started = performance.now();
  const records: string[] = [];
  let place = walk.from;
  for await (const step of walkChanges(call, walk)) {
    if (step.json === null) {
      if (records.length < walk.limit) place = step.place;
      if (performance.now() - started > maxWalkMs) return cutAt(records, place, step);
      continue;
    }
    if (records.length === walk.limit) return cutAt(records, place, step);
    records.push(step.json);
    place = step.place;
  }
  return { records, next: null, toldUntil: walk.until };
}

/** Of the step's number more is to come. */
function cutAt(records: readonly string[], next: WalkPlace, { number }: Step): ChangesPage {
  return { records, next, toldUntil: number - 1 };
}
