import type { ReceivedFrames } from "../derive/batch.ts";
import type { TrackedContext } from "../derive/context.ts";
import { BoundedMap } from "../domain/bounded-map.ts";
import { nextOffsetRun, type OffsetRun, steadyOffsetS } from "../domain/quality/clock-offset.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { refreshFaultMs, saveTrackerFaults, type TrackerFault } from "../store/fleet/tracker-faults.ts";

/** Some hundred bytes each. One that is not among them is looked at anew. */
const maxDevices = 100_000;

const advice = "set its tracker_clock, in the portal or in the fleet file";

/** The same fault, though measured again. */
const sameOffsetS = 60;

/** What is wrong with a tracker, and when that was last saved. */
interface KnownFault {
  readonly clockAheadS: number;
  readonly savedAt: number;
}

/**
 * Finds trackers whose clock is wrong, from the frames that this node stores. `note` only compares numbers in memory: no sender
 * waits for it. `save` is called every second, and writes a device every five minutes at most. Each node and each start begins anew.
 * Nothing is put right by itself: the owner is told.
 */
export class TrackerWatch {
  readonly #database: Database;
  readonly #observe: Observe;
  readonly #runs = new BoundedMap<number, OffsetRun>({ max: maxDevices });
  readonly #wrongClocks = new Map<number, KnownFault>();
  /** By device. */
  #unsaved = new Map<number, TrackerFault>();

  constructor(database: Database, observe: Observe) {
    this.#database = database;
    this.#observe = observe;
  }

  /** On this node. */
  get faults(): { readonly clock: number } {
    return { clock: this.#wrongClocks.size };
  }

  note(received: readonly ReceivedFrames[]): void {
    for (const { tracked, frames } of received) {
      let newest = frames[0];
      if (newest === undefined) continue;
      // Frames of one message have one time of receipt. The newest of them says when it was sent.
      for (const frame of frames) {
        if (frame.receivedAt !== newest.receivedAt) {
          this.#noteTime(tracked, newest.recordedAt, newest.receivedAt);
          newest = frame;
        } else if (frame.recordedAt > newest.recordedAt) newest = frame;
      }
      this.#noteTime(tracked, newest.recordedAt, newest.receivedAt);
    }
  }

  #noteTime(tracked: TrackedContext, recordedAt: number, receivedAt: number): void {
    const { device, imei } = tracked;
    const run = nextOffsetRun(this.#runs.get(device), recordedAt, receivedAt);
    this.#runs.set(device, run);
    const aheadSeconds = steadyOffsetS(run);
    if (aheadSeconds === null) return;
    const known = this.#wrongClocks.get(device);
    if (aheadSeconds === 0) {
      if (known !== undefined) this.#wrongClocks.delete(device);
      return;
    }
    const isKnown = known !== undefined && Math.abs(known.clockAheadS - aheadSeconds) <= sameOffsetS;
    if (isKnown && Math.abs(receivedAt - known.savedAt) < refreshFaultMs) return;
    if (!isKnown && this.#wrongClocks.size >= maxDevices) return;
    if (!isKnown) this.#observe({ kind: "tracker_clock_wrong", imei, aheadSeconds, advice });
    const clockAheadS = isKnown ? known.clockAheadS : aheadSeconds;
    this.#wrongClocks.set(device, { clockAheadS, savedAt: receivedAt });
    this.#unsaved.set(device, { accountId: tracked.accountId, device, clockAheadS, seenAt: receivedAt });
  }

  async save(): Promise<void> {
    const unsaved = this.#unsaved;
    if (unsaved.size === 0) return;
    this.#unsaved = new Map();
    try {
      await saveTrackerFaults(this.#database, [...unsaved.values()]);
    } catch (error) {
      this.#unsaved = new Map([...unsaved, ...this.#unsaved]);
      throw error;
    }
  }
}
