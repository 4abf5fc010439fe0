import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { moved, type Waypoint } from "./ingest-drive.ts";
import { noReport } from "./random-drive.ts";

/** Frames of one vehicle, written down as what it does, one thing after the other. Each is received a second later. */
export class Track {
  readonly frames: IncomingFrame[] = [];
  readonly #imei: string;
  #at: number;
  #place: Waypoint;
  /** What every frame reports until it is set to something else. */
  fields: Partial<IncomingFrame> = {};

  constructor(imei: string, at: number, place: Waypoint) {
    this.#imei = imei;
    this.#at = at;
    this.#place = place;
  }

  get at(): number {
    return this.#at;
  }

  /** Due east, or west at a negative speed. */
  drive(minutes: number, kmh: number, everyS = 10): this {
    for (let second = 0; second < minutes * 60; second += everyS) {
      this.#at += everyS * 1000;
      this.#place = moved(this.#place, 0, (kmh / 3.6) * everyS);
      this.#send({ speed_kmh: Math.abs(kmh) });
    }
    return this;
  }

  stand(minutes: number, everyS = 30): this {
    for (let second = 0; second < minutes * 60; second += everyS) {
      this.#at += everyS * 1000;
      this.#send({ speed_kmh: 0 });
    }
    return this;
  }

  /** One frame with something of its own. */
  send(afterS: number, fields: Partial<IncomingFrame>): this {
    this.#at += afterS * 1000;
    this.#send(fields);
    return this;
  }

  /** No frame for so long, in which it comes so far east. */
  unseen(minutes: number, metres: number): this {
    this.#at += minutes * 60_000;
    this.#place = moved(this.#place, 0, metres);
    return this;
  }

  #send(fields: Partial<IncomingFrame>): void {
    const times = { recordedAt: this.#at, receivedAt: this.#at + 1000 };
    this.frames.push({ ...noReport, imei: this.#imei, ...times, ...this.#place, ...this.fields, ...fields });
  }
}
