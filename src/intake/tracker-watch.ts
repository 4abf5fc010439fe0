import type { ReceivedFrames } from "../derive/batch.ts";
import type { TrackedContext } from "../derive/context.ts";
import { BoundedMap } from "../domain/bounded-map.ts";
import type { Frame } from "../domain/frame.ts";
import { nextOffsetRun, type OffsetRun, steadyOffsetS } from "../domain/quality/clock-offset.ts";
import type { Observe } from "../observe/observation.ts";
import type { Database } from "../store/database.ts";
import { refreshFaultMs, saveTrackerFaults, type TrackerFault } from "../store/fleet/tracker-faults.ts";

/** Some hundred bytes each. One that is not among them is looked at anew. */
const maxDevices = 100_000;

/** The same fault, though measured again. */
const sameOffsetS = 60;

const clockAdvice = "set its tracker_clock, in the portal or in the fleet file";
const twinAdvice = "give one of them its own IMEI";

/** Devices that have a fault. */
class Faults<Found> {
  readonly #known = new Map<number, { readonly found: Found; readonly savedAt: number }>();

  get size(): number {
    return this.#known.size;
  }

  get(device: number): Found | undefined {
    return this.#known.get(device)?.found;
  }

  /** Whether it is to be saved: it is new, or was saved some time ago. */
  note(device: number, found: Found, seenAt: number): boolean {
    const known = this.#known.get(device);
    const isSaved = known?.found === found && Math.abs(seenAt - known.savedAt) < refreshFaultMs;
    if (isSaved || (known === undefined && this.size >= maxDevices)) return false;
    this.#known.set(device, { found, savedAt: seenAt });
    return true;
  }

  end(device: number): void {
    if (this.size > 0) this.#known.delete(device);
  }
}

/**
 * Finds trackers whose clock is wrong, or that share an IMEI, from the frames that this node stores. `note` only compares numbers in
 * memory: no sender waits for it. `save` is called every second, and writes a device every five minutes at most. Each node and each
 * start begins anew. Nothing is put right by itself: the owner sees it and decides.
 */
export class TrackerWatch {
  readonly #database: Database;
  readonly #observe: Observe;
  readonly #runs = new BoundedMap<number, OffsetRun>({ max: maxDevices });
  readonly #clocks = new Faults<number>();
  readonly #twins = new Faults<true>();
  /** By device and fault. */
  #unsaved = new Map<string, TrackerFault>();

  constructor(database: Database, observe: Observe) {
    this.#database = database;
    this.#observe = observe;
  }

  /** How many devices of this node have one. */
  get counts(): { readonly clock: number; readonly shared_imei: number } {
    return { clock: this.#clocks.size, shared_imei: this.#twins.size };
  }

  note(received: readonly ReceivedFrames[]): void {
    for (const { tracked, frames, isShared } of received) {
      let newest = frames[0];
      if (newest === undefined) continue;
      // Frames of one message have one time of receipt. The newest of them says when it was sent.
      for (const frame of frames) {
        if (frame.receivedAt !== newest.receivedAt) {
          this.#noteTime(tracked, newest);
          newest = frame;
        } else if (frame.recordedAt > newest.recordedAt) newest = frame;
      }
      this.#noteTime(tracked, newest);
      if (isShared) this.#noteTwin(tracked, newest);
      else if (isShared === false) this.#twins.end(tracked.device);
    }
  }

  #noteTime({ accountId, device, imei }: TrackedContext, { recordedAt, receivedAt: seenAt }: Frame): void {
    // It has no time of the tracker's, and shows nothing of its clock.
    if (recordedAt === seenAt) return;
    const run = nextOffsetRun(this.#runs.get(device), recordedAt, seenAt);
    this.#runs.set(device, run);
    const measured = steadyOffsetS(run);
    if (measured === 0) this.#clocks.end(device);
    if (measured === null || measured === 0) return;
    const known = this.#clocks.get(device);
    const isKnown = known !== undefined && Math.abs(known - measured) <= sameOffsetS;
    const clockAheadS = isKnown ? known : measured;
    if (!this.#clocks.note(device, clockAheadS, seenAt)) return;
    if (!isKnown) {
      this.#observe({ kind: "tracker_clock_wrong", imei, aheadSeconds: clockAheadS, advice: clockAdvice });
    }
    this.#unsaved.set(`${device} clock`, { accountId, device, clockAheadS, seenAt });
  }

  #noteTwin({ accountId, device, imei }: TrackedContext, { receivedAt: seenAt }: Frame): void {
    const isKnown = this.#twins.get(device) === true;
    if (!this.#twins.note(device, true, seenAt)) return;
    if (!isKnown) this.#observe({ kind: "imei_shared", imei, advice: twinAdvice });
    this.#unsaved.set(`${device} twin`, { accountId, device, clockAheadS: null, seenAt });
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
