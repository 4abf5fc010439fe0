import type { Observe } from "../../observe/observation.ts";
import type { Refusal } from "./store-messages.ts";

/** A tracker that nobody has entered may send every second, for weeks. */
const tellEveryMs = 60_000;

/** Tells of refused frames: of the first at once, then of all that were refused in a minute, with one for an example. */
export class RefusalNotes {
  readonly #observe: Observe;
  #toldAt = Number.NEGATIVE_INFINITY;
  #untold = 0;
  #example: Refusal | null = null;

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  note(refusals: readonly Refusal[], now: number): void {
    this.#untold += refusals.length;
    this.#example = refusals.at(-1) ?? this.#example;
    if (now - this.#toldAt >= tellEveryMs) this.tell(now);
  }

  /** What has not been told yet. */
  tell(now: number): void {
    if (this.#example === null) return;
    this.#observe({ kind: "broker_frames_refused", frames: this.#untold, ...this.#example });
    this.#toldAt = now;
    this.#untold = 0;
    this.#example = null;
  }
}
