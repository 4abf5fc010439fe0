import type { Observe } from "../../observe/observation.ts";
import type { RefusedMqttMessage } from "./store-messages.ts";

/** A tracker that is not in the store may send every second, for weeks. */
const reportEveryMs = 60_000;

/** Reports refused frames: the first at once, then the number of each minute with one example. */
export class RefusalReports {
  readonly #observe: Observe;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #unreported = 0;
  #example: RefusedMqttMessage | null = null;

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  add(refusals: readonly RefusedMqttMessage[], now: number): void {
    this.#unreported += refusals.length;
    this.#example = refusals.at(-1) ?? this.#example;
    if (now - this.#reportedAt >= reportEveryMs) this.report(now);
  }

  report(now: number): void {
    if (this.#example === null) return;
    this.#observe({ kind: "broker_frames_refused", frames: this.#unreported, ...this.#example });
    this.#reportedAt = now;
    this.#unreported = 0;
    this.#example = null;
  }
}
