import { afterEach } from "bun:test";
import type { IncomingFrame } from "../../../src/intake/incoming-frame.ts";
import type { TrackerOwner } from "../../../src/intake/trackers/gate/directory.ts";
import { readNetworks } from "../../../src/intake/trackers/gate/networks.ts";
import { textOf } from "../../../src/intake/trackers/kit/bytes.ts";
import { listenToTrackers } from "../../../src/intake/trackers/sockets/listener.ts";
import type { Observation } from "../../../src/observe/observation.ts";
import { until } from "../patience.ts";
import { toyFamily } from "./toy-family.ts";

export const toyImei = "356307042441013";
/** Of a device that is bound to another family. */
export const boundImei = "356307042441021";

export interface ToyListenerOptions {
  readonly networks?: string;
  readonly proxies?: string;
  /** Holds back every commit. */
  readonly commit?: Promise<void>;
  /** Holds back every look-up. */
  readonly reading?: Promise<void>;
  readonly sweepMs?: number;
  readonly openFiles?: number;
}

/** For a test file: opens listeners and sockets, and closes them all after each test. */
export function toyListeners() {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function listen({ networks, proxies, commit, reading, sweepMs = 5, openFiles }: ToyListenerOptions = {}) {
    const stored: IncomingFrame[] = [];
    const unknown: string[] = [];
    const seen: Observation[] = [];
    const clock = { now: Date.UTC(2026, 10, 17), asked: 0 };
    const devices: readonly TrackerOwner[] = [
      { imei: toyImei, accountId: 1, protocol: null, model: null },
      { imei: boundImei, accountId: 1, protocol: "teltonika", model: null },
    ];
    const listener = await listenToTrackers({
      ports: [{ family: toyFamily, port: 0 }],
      hostname: "127.0.0.1",
      networks: networks === undefined ? null : readNetworks(networks),
      proxies: proxies === undefined ? null : readNetworks(proxies),
      readNames: async () => ({ keys: [toyImei, boundImei], place: { key: null, change: 0 }, isLast: true }),
      lookUp: async (identities) => {
        await reading;
        return new Map(devices.filter(({ imei }) => identities.has(imei)).map((device) => [device.imei, device]));
      },
      writer: {
        submit: async (_, frames) => {
          await commit;
          stored.push(...frames);
          return frames.map(() => "accepted" as const);
        },
      },
      unknownDevices: { noteTracker: (identity) => unknown.push(identity) },
      now: () => {
        clock.asked++;
        return clock.now;
      },
      observe: (observation) => seen.push(observation),
      sweepMs,
      ...(openFiles === undefined ? {} : { openFiles }),
    });
    closing.push(() => listener.close());
    const counts = () => listener.counts.toy;
    const places = () => listener.places.counts;
    return { listener, stored, unknown, seen, clock, counts, places, port: listener.ports.toy ?? 0 };
  }

  async function call(port: number) {
    const caller = await callTracker(port);
    closing.push(() => caller.socket.terminate());
    return caller;
  }

  return { closing, listen, call };
}

/** A socket as a tracker has one, and what came back on it. */
export async function callTracker(port = 0) {
  const state = { text: "", isClosed: false };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_, bytes) => {
        state.text += textOf(bytes);
      },
      close: () => {
        state.isClosed = true;
      },
    },
  });
  return {
    state,
    socket,
    send: (text: string | Uint8Array) => socket.write(text),
    got: (text: string) => until(() => state.text === text),
    closed: () => until(() => state.isClosed),
  };
}
