import type { WorkPace } from "../derive/pace.ts";
import { formatInstant } from "../domain/time/time.ts";
import type { Observe } from "../observe/observation.ts";
import type { Reader } from "../store/database.ts";
import { eachAccount } from "../store/each-account.ts";
import { lastReceivedAtOf } from "../store/frames/latest.ts";

/** So far ahead of the clock a time of receipt is believed, and a frame ahead of that: nothing is lost. */
const toleratedMs = 300_000;

/**
 * Warns when a stored frame was received later than now: then the store's clock is slow, and incoming frames seem to be from
 * the future; or the clock that received that frame was fast. Each node compares its own with the store's (node-clock.ts).
 */
export async function watchClock(reader: Reader, now: number, observe: Observe, pace: WorkPace): Promise<void> {
  let newest = Number.MIN_SAFE_INTEGER;
  await eachAccount(reader, pace, async (accountId) => {
    newest = Math.max(newest, (await lastReceivedAtOf(reader, accountId)) ?? newest);
  });
  if (newest - now <= toleratedMs) return;
  const [clock, newestReceipt] = [formatInstant(now), formatInstant(newest)];
  observe({ kind: "clock_behind", behindSeconds: Math.round((newest - now) / 1000), clock, newestReceipt });
}
