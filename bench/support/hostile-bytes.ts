import type { FrameOutcome } from "../../src/derive/plan.ts";
import { TrackerConnection, type TrackerHouse } from "../../src/intake/trackers/connection/connection.ts";
import { noCounts } from "../../src/intake/trackers/counts.ts";
import type { TrackerFamily } from "../../src/intake/trackers/kit/family.ts";
import { MessageStream } from "../../src/intake/trackers/kit/stream.ts";
import { threadMicros } from "./thread-time.ts";

/** As much as a socket is read from at once. */
const totalBytes = 64 * 1_024;
const receivedAt = Date.UTC(2026, 0, 1);
const device = { imei: "356307042441013", accountId: 1, protocol: null, model: null };

/** What a search begins with. */
export interface Source {
  readonly samples: readonly Uint8Array[];
  /** A long message with a right checksum, where the family has one. */
  readonly grow: ((message: Uint8Array, token: Uint8Array) => Uint8Array) | undefined;
}

/** What an attacker sends over and over, up to 64 KiB. */
export interface Hostile {
  readonly unit: Uint8Array;
  /** Of processor time. */
  readonly micros: number;
}

/**
 * Looks for bytes that cost as much as possible: begins with repeated tokens and beginnings of messages, and goes on from the worst
 * that it has found, as an attacker would.
 */
export async function searchWorst(
  source: Source,
  random: () => number,
  seconds: number,
  microsOf: (bytes: Uint8Array) => number | Promise<number>,
): Promise<Hostile> {
  const endsAt = threadMicros() + seconds * 1e6;
  // The first calls are slow: nothing is compiled yet.
  for (let round = 0; round < 20; round++) await microsOf(repeated(firstUnit(source, random)));
  let worst: Hostile = { unit: Uint8Array.of(0), micros: 0 };
  for (let round = 0; threadMicros() < endsAt; round++) {
    const unit = round < 60 || random() < 0.2 ? firstUnit(source, random) : changed(worst.unit, source, random);
    const bytes = repeated(unit);
    let micros = await microsOf(bytes);
    // Twice more, and the least of them: the machine does other things, too.
    for (let again = 0; again < 2 && micros > worst.micros; again++) {
      micros = Math.min(micros, await microsOf(bytes));
    }
    if (micros > worst.micros) worst = { unit, micros };
  }
  return worst;
}

export function repeated(unit: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: totalBytes }, (_, at) => unit[at % unit.length] ?? 0);
}

function firstUnit(source: Source, random: () => number): Uint8Array {
  const { grow } = source;
  return grow !== undefined && random() < 0.2
    ? grow(sampleOf(source, random), shortUnit(source, random))
    : shortUnit(source, random);
}

function sampleOf({ samples }: Source, random: () => number): Uint8Array {
  return samples[Math.floor(random() * samples.length)] ?? Uint8Array.of(0);
}

function shortUnit(source: Source, random: () => number): Uint8Array {
  const sample = sampleOf(source, random);
  if (random() < 0.5) return sample.slice(0, 1 + Math.floor(random() * sample.length));
  const length = 1 + Math.floor(random() * 8);
  // Half of the tokens are taken from messages, one behind the other: those have the bytes that mean something, also an end
  // and the next start.
  const from = Math.floor(random() * sample.length);
  if (random() < 0.5) return Uint8Array.from({ length }, (_, at) => sample[(from + at) % sample.length] ?? 0);
  return Uint8Array.from({ length }, () => sample[Math.floor(random() * sample.length)] ?? Math.floor(random() * 256));
}

function changed(unit: Uint8Array, source: Source, random: () => number): Uint8Array {
  const at = Math.floor(random() * (unit.length + 1));
  const token = firstUnit(source, random);
  const insert = (bytes: Uint8Array) =>
    Uint8Array.from(Buffer.concat([unit.subarray(0, at), bytes, unit.subarray(at)]));
  const kind = Math.floor(random() * 5);
  const copies = 1 + Math.floor(random() ** 4 * 2_000);
  const next =
    kind === 0
      ? unit.with(Math.min(at, unit.length - 1), token[0] ?? 0)
      : kind === 1
        ? Uint8Array.from(Buffer.concat([unit.subarray(0, at), unit.subarray(at + 1 + Math.floor(random() * 16))]))
        : kind === 2
          ? insert(token)
          : kind === 3
            ? insert(Uint8Array.from(Buffer.concat(Array.from({ length: copies }, () => token.subarray(0, 8)))))
            : insert(unit.slice(at, at + 64));
  return next.length === 0 || next.length > totalBytes ? unit : next;
}

/** Cutting and decoding all of it, without the limits that would end the connection. */
export function microsOfFraming(family: TrackerFamily, bytes: Uint8Array): number {
  const began = threadMicros();
  const stream = new MessageStream(family);
  let session = family.begin();
  for (const message of stream.push(bytes)) ({ session } = family.decode(message, session, receivedAt));
  return threadMicros() - began;
}

export interface ThroughConnection {
  readonly allMicros: number;
  /** The longest time in which nothing else was served. */
  readonly longestMicros: number;
}

/** As it comes to a server that knows every tracker and whose store costs nothing: over TCP, after a login. */
export async function throughConnection(
  family: TrackerFamily,
  login: Uint8Array | null,
  bytes: Uint8Array,
): Promise<ThroughConnection> {
  const house: TrackerHouse = {
    family,
    over: "tcp",
    counts: noCounts(),
    now: () => receivedAt,
    find: () => device,
    store: async (_, frames) => frames.map((): FrameOutcome => "accepted"),
    log: () => {},
    ownerOf: () => null,
    onLogin: () => {},
    onHeard: () => {},
    onRefused: () => {},
    onFailure: (cause) => {
      throw cause;
    },
  };
  const connection = new TrackerConnection(house, { send: () => {}, end: () => {} }, "192.0.2.1");
  if (login !== null) connection.receive(login);
  await connection.idle;
  await turn();
  let [all, longest] = [0, 0];
  let began = threadMicros();
  const count = () => {
    const micros = threadMicros() - began;
    all += micros;
    longest = Math.max(longest, micros);
    began = threadMicros();
  };
  connection.receive(bytes);
  while (!connection.isIdle) {
    await turn();
    count();
  }
  count();
  return { allMicros: all, longestMicros: longest };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A unit as people can read it, and how long it is. */
export function shownUnit(unit: Uint8Array): string {
  const hex = unit.subarray(0, 24).toHex();
  return unit.length > 24 ? `${hex}… (${unit.length} bytes)` : hex;
}
