/**
 * What vehicles say of the clock. Trackers have their time from satellites, so a position proves that the clock is ahead by no
 * more than the time since it was recorded. But some senders stamp what they pass on by the clock that is in doubt. So the
 * rule is careful: only positions that came in the last hour count; one whose time is exactly that of its receipt got it from
 * the server, and says nothing; one vehicle is not enough if several have been heard of lately; and of several, half must
 * agree, so that those whose time is days behind speak against the clock. A gateway that stamps every vehicle's positions by
 * this machine's clock cannot be told from trackers: what it could do is bounded by the share that retention may drop
 * (src/derive/retention-guard.ts). In doubt, frames stay.
 */
import { dayMs } from "../../domain/time.ts";
import type { Reader } from "../database.ts";
import { sql } from "../sql.ts";

const freshMs = dayMs / 24;

/** Vehicles that were heard of so long before the clock came into doubt should be heard again. */
const latelyMs = 30 * dayMs;

/** How far the clock of an embedded store can be ahead at most; null: nobody says. `knownAt` is the last time that is known. */
export async function provenAheadMs(reader: Reader, now: number, knownAt: number): Promise<number | null> {
  const positions = await reader.all<{ recorded_at: number; received_at: number }>(sql`
    select recorded_at, received_at from latest_positions
    where received_at >= ${Math.min(now - freshMs, knownAt - latelyMs)} and recorded_at <> received_at`);
  const lags = positions
    .filter(({ received_at }) => Math.abs(now - received_at) <= freshMs)
    .map(({ recorded_at }) => Math.max(0, now - recorded_at))
    .toSorted((a, b) => a - b);
  if (lags.length < Math.min(2, positions.length)) return null;
  return lags[Math.floor(lags.length / 2)] ?? null;
}
