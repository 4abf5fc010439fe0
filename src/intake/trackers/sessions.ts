import type { Observe } from "../../observe/observation.ts";
import type { TrackerConnection } from "./connection.ts";
import type { TrackerFamily } from "./kit/family.ts";

/**
 * Which connection a device sends by. A tracker that lost its network connects again while the old connection still looks alive,
 * so a second one is nothing to worry about, until the first one speaks again: then two trackers use one IMEI.
 */
export class Sessions {
  readonly #observe: Observe;
  readonly #newest = new Map<string, TrackerConnection>();
  /** Connections that were followed by another of the same device. */
  readonly #followed = new Map<TrackerConnection, string>();

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  begin(imei: string, connection: TrackerConnection): void {
    const before = this.#newest.get(imei);
    if (before !== undefined && before !== connection) this.#followed.set(before, imei);
    this.#newest.set(imei, connection);
  }

  heard(connection: TrackerConnection, { name }: TrackerFamily): void {
    const imei = this.#followed.get(connection);
    if (imei === undefined) return;
    // Once for each connection.
    this.#followed.delete(connection);
    this.#observe({ kind: "tracker_connected_twice", imei, family: name });
  }

  end(connection: TrackerConnection): void {
    this.#followed.delete(connection);
    const imei = connection.device?.imei;
    if (imei !== undefined && this.#newest.get(imei) === connection) this.#newest.delete(imei);
  }
}
