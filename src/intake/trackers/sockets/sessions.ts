import type { Observe } from "../../../observe/observation.ts";
import type { TrackerConnection } from "../connection/connection.ts";
import type { TrackerFamily } from "../kit/family.ts";
import { limits } from "../limits.ts";
import { TcpPeer } from "./tcp-peer.ts";

/**
 * Which connections a device sends by. A tracker that lost its network connects again while the old connection still looks alive,
 * so a second one is nothing to worry about, until the first one speaks again: then two trackers use one IMEI. No device needs many, and
 * a stranger that knows one IMEI could take all places by it.
 */
export class TrackerSessions {
  readonly #observe: Observe;
  readonly #newest = new Map<string, TrackerConnection>();
  /** Connections that were followed by another of the same device; few devices have any. */
  readonly #earlier = new Map<string, Set<TrackerConnection>>();
  /** Of those, the ones that have not spoken since. */
  readonly #followed = new Map<TrackerConnection, string>();

  constructor(observe: Observe) {
    this.#observe = observe;
  }

  begin(imei: string, connection: TrackerConnection): void {
    const before = this.#newest.get(imei);
    this.#newest.set(imei, connection);
    if (before === undefined || before === connection) return;
    this.#followed.set(before, imei);
    const earlier = this.#earlier.get(imei) ?? new Set();
    this.#earlier.set(imei, earlier.add(before));
    if (earlier.size >= limits.connectionsOfDevice) this.#endQuietest(imei, earlier);
  }

  heard(connection: TrackerConnection, { name }: TrackerFamily): void {
    const imei = this.#followed.get(connection);
    if (imei === undefined) return;
    // Once for each connection.
    this.#followed.delete(connection);
    this.#observe({ kind: "tracker_connected_twice", imei, family: name });
  }

  end(connection: TrackerConnection): void {
    const imei = connection.device?.imei;
    if (imei === undefined) return;
    if (this.#newest.get(imei) === connection) this.#newest.delete(imei);
    this.#forget(imei, connection);
  }

  #endQuietest(imei: string, earlier: ReadonlySet<TrackerConnection>): void {
    const quietest = [...earlier].reduce((one, other) => (other.lastHeardAt < one.lastHeardAt ? other : one));
    this.#forget(imei, quietest);
    quietest.refuse("same_device");
    // Its place is free at once, whether or not the peer hangs up.
    if (quietest.line instanceof TcpPeer) quietest.line.cut();
  }

  #forget(imei: string, connection: TrackerConnection): void {
    this.#followed.delete(connection);
    const earlier = this.#earlier.get(imei);
    earlier?.delete(connection);
    if (earlier?.size === 0) this.#earlier.delete(imei);
  }
}
