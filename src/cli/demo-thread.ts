import { Failure } from "../domain/errors.ts";
import { readCanonicalFrame } from "../intake/formats/canonical.ts";
import type { IncomingFrame } from "../intake/incoming-frame.ts";
import { type Destination, deliver, manyAttempts } from "../simulator/sender.ts";
import { type CanonicalFrame, createWorld, type World, type WorldOptions } from "../simulator/world.ts";
import { type HistoryPart, partBefore } from "./demo/demo-parts.ts";
import { demoStreets } from "./demo/demo-streets.ts";

/** What the thread that makes the demo is asked for. It answers in the same order. */
export type ToDemo =
  | ({ readonly kind: "begin"; readonly world: WorldOptions } & HistoryPart)
  | { readonly kind: "frames" }
  /** To send the frames of a period to a server, vehicle by vehicle. */
  | ({ readonly kind: "send"; readonly world: WorldOptions; readonly destination: Destination } & HistoryPart)
  | { readonly kind: "streets"; readonly directory: string; readonly seed: number };

export type FromDemo =
  /** JSON, which is read faster than objects are copied. Null: there are no more. */
  | { readonly kind: "frames"; readonly batch: { readonly json: string; readonly arrivesAt: number } | null }
  | { readonly kind: "sent" }
  | { readonly kind: "streets"; readonly path: string }
  | { readonly kind: "failed"; readonly message: string };

/** Makes the demo's frames and streets beside the thread that stores: on two processors the first start takes less long. */
declare const self: Worker;

/** Enough to share the cost of a transaction, few enough that the progress bar moves. */
const framesAtOnce = 8_000;

/**
 * Vehicles whose frames are on their way to a server. They share its transactions; more of them would make other senders
 * wait for longer.
 */
const vehiclesAtOnce = 8;

const send = (message: FromDemo) => self.postMessage(message);
/** One, for all periods: it remembers what it has planned. */
let sentWorld: World | null = null;
let batches: Iterator<{ readonly json: string; readonly arrivesAt: number }> | null = null;

let answered = Promise.resolve();

self.onmessage = ({ data }: MessageEvent<ToDemo>) => {
  answered = answered
    .then(() => answer(data))
    .catch((error) => send({ kind: "failed", message: String(error?.message ?? error) }));
};

async function answer(message: ToDemo): Promise<void> {
  switch (message.kind) {
    case "begin":
      batches = makeBatches(message);
      break;
    case "frames":
      send({ kind: "frames", batch: batches?.next().value ?? null });
      break;
    case "send":
      await sendPeriod(message);
      send({ kind: "sent" });
      break;
    case "streets":
      send({ kind: "streets", path: await demoStreets(message.directory, message.seed) });
  }
}

function* makeBatches({ world: options, from, until }: Extract<ToDemo, { readonly kind: "begin" }>) {
  let frames: IncomingFrame[] = [];
  const world = createWorld(options);
  const silent = new Set(world.imeis);
  for (const message of world.messages(from, until)) {
    for (const frame of message.frames) {
      frames.push(asIncoming(frame, until));
      silent.delete(frame.imei);
    }
    if (frames.length < framesAtOnce) continue;
    yield { json: JSON.stringify(frames), arrivesAt: message.arrivesAt };
    frames = [];
  }
  // The map shows where they were last, however long ago.
  for (const imei of silent) {
    for (const frame of lastFrames(world, imei, { from: options.from, until: from }))
      frames.push(asIncoming(frame, until));
  }
  yield { json: JSON.stringify(frames), arrivesAt: until };
}

/** Those of the last day of a vehicle on which it sent any. */
function lastFrames({ imeis, messagesOf }: World, imei: string, period: HistoryPart): readonly CanonicalFrame[] {
  for (let { until } = period; until > period.from; ) {
    const part = partBefore(until, period.from);
    const frames = Array.from(messagesOf(imeis.indexOf(imei), part.from, until), (message) => message.frames).flat();
    if (frames.length > 0) return frames;
    until = part.from;
  }
  return [];
}

/**
 * Each vehicle's frames of the period are one message: frames that come late are derived once for each message, and together
 * with what follows them.
 */
async function sendPeriod({
  world,
  destination,
  from,
  until,
}: Extract<ToDemo, { readonly kind: "send" }>): Promise<void> {
  sentWorld ??= createWorld(world);
  const { imeis, messagesOf } = sentWorld;
  const vehicles = imeis.keys();
  const sendSome = async () => {
    for (const vehicle of vehicles) {
      const frames = Array.from(messagesOf(vehicle, from, until), (message) => message.frames).flat();
      if (frames.length > 0) await deliver(destination, frames, manyAttempts);
    }
  };
  await Promise.all(Array.from({ length: vehiclesAtOnce }, sendSome));
}

function asIncoming(frame: object, now: number): IncomingFrame {
  const incoming = readCanonicalFrame(frame, now);
  if (typeof incoming === "string") throw new Failure("INTERNAL", `the simulator made a wrong frame: ${incoming}`);
  return incoming;
}
