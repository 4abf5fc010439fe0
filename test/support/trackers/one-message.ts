import { expect } from "bun:test";
import fc from "fast-check";
import type { TrackerProtocol } from "../../../src/domain/tracker-protocols.ts";
import { families } from "../../../src/intake/trackers/families.ts";
import type { DecodedMessage, Transport } from "../../../src/intake/trackers/kit/family.ts";
import { receivedAt } from "./field-message.ts";

/** What tests of several families need: a message that is whole and decoded, and values as trackers send them. */

export const imei = "352093081234567";
export const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

export function decodeAs(name: TrackerProtocol, message: Uint8Array, over: Transport = "tcp"): DecodedMessage<unknown> {
  const family = families[name];
  expect(family.cut(message)).toEqual({ kind: "message", length: message.length });
  return family.decode(message, family.begin(over), receivedAt);
}

export const hex = (reply: Uint8Array | null) => reply?.toHex() ?? null;

const seconds = fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2079, 0, 1) / 1000 });
export const times = seconds.map((second) => second * 1000);
const degrees = (most: number) => fc.integer({ min: -most * 1e6, max: most * 1e6 }).map((part) => part / 1e6 + 0);
/** None is nowhere: a receiver without a fix writes zeros. */
export const places = fc
  .record({ latitude: degrees(90), longitude: degrees(180) })
  .filter(({ latitude, longitude }) => latitude !== 0 && longitude !== 0);
export const numbers = (max: number, min = 0) => fc.integer({ min, max });
