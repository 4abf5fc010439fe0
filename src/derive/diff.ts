import { compareFrames } from "../domain/frame.ts";
import { isSameVerdict } from "../domain/verdict.ts";
import type { StoredFrame } from "../store/blocks/stored-frame.ts";
import { type DatedFact, type DayOwner, type FactRow, factRow, isSameRow, rowKey } from "../store/facts/facts.ts";

export interface FactChanges {
  readonly toSave: readonly FactRow[];
  /** Trips, stops and days that are stored and only continued. */
  readonly toContinue: readonly FactRow[];
  /** First removed, then saved: a trip or a stop whose start moved keeps its id, but is stored elsewhere. */
  readonly toRemove: readonly FactRow[];
}

export const noFactChanges: FactChanges = { toSave: [], toContinue: [], toRemove: [] };

export function factRows(owner: DayOwner, facts: readonly DatedFact[]): FactRow[] {
  return facts.map((dated) => {
    const { fact } = dated;
    const qualifier = fact.kind === "alert" ? fact.qualifier : undefined;
    return { kind: fact.kind, row: factRow(owner, dated), qualifier };
  });
}

/** What must be written to replace the stored facts with the present ones. */
export function diffFacts(before: readonly FactRow[], now: readonly FactRow[]): FactChanges {
  const stored = new Map<ReturnType<typeof rowKey>, FactRow>();
  const toSave: FactRow[] = [];
  const moved: FactRow[] = [];
  for (const fact of before) {
    const key = rowKey(fact);
    const other = stored.get(key);
    // Of a device that waited for newer rules, earlier ones and these may each have stored it, with another start.
    if (other !== undefined && other.row.started_at !== fact.row.started_at) moved.push(other);
    stored.set(key, fact);
  }
  const toContinue: FactRow[] = [];
  for (const fact of now) {
    const key = rowKey(fact);
    const old = stored.get(key);
    stored.delete(key);
    if (old === undefined) toSave.push(fact);
    else if (old.row.started_at !== fact.row.started_at) {
      moved.push(old);
      toSave.push(fact);
    } else if (!isSameRow(old.row, fact.row)) (isContinued(old, fact) ? toContinue : toSave).push(fact);
  }
  // An alert that someone acknowledged or was mailed of stays stored, marked as withdrawn.
  const gone = stored.size === 0 ? [] : [...stored.values()].filter(({ row }) => !row.withdrawn);
  const toRemove = moved.length === 0 ? gone : [...moved, ...gone];
  return { toSave, toContinue, toRemove };
}

/** Whether nothing else changed of a trip, a stop or a day than what changes from frame to frame. A trip may have ended and not be final yet. */
function isContinued({ row: old }: FactRow, { kind, row }: FactRow): boolean {
  if (old.final_at !== row.final_at) return false;
  if (kind === "day") return old.time_zone === row.time_zone;
  if (kind === "stop") return old.ended_at === row.ended_at && old.trip_after_id === row.trip_after_id;
  if (kind !== "trip" || old.driver_id !== row.driver_id || old.drivers_json !== row.drivers_json) return false;
  return old.ended_at === row.ended_at && old.received_at === row.received_at;
}

export interface FrameChanges {
  readonly added: readonly StoredFrame[];
  /** Frames that are stored with another verdict. */
  readonly judgedAnew: readonly StoredFrame[];
}

/** Both are in order. Stored frames that are missing now are left unchanged. */
export function diffFrames(stored: readonly StoredFrame[], now: readonly StoredFrame[]): FrameChanges {
  const added: StoredFrame[] = [];
  const judgedAnew: StoredFrame[] = [];
  let next = 0;
  for (const { frame, verdict } of now) {
    while (next < stored.length && compareFrames((stored[next] as StoredFrame).frame, frame) < 0) next++;
    const old = stored[next];
    if (old === undefined || compareFrames(old.frame, frame) > 0) added.push({ frame, verdict });
    else if (!isSameVerdict(old.verdict, verdict)) judgedAnew.push({ frame: old.frame, verdict });
  }
  return { added, judgedAnew };
}
