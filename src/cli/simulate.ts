import { Failure } from "../domain/errors.ts";
import { quantity } from "../domain/text/text.ts";
import { dayMs } from "../domain/time/time.ts";
import { DeliveryTally, type Destination, deliver, manyAttempts, NotDelivered } from "../simulator/sender.ts";
import { type CanonicalFrame, createWorld, type World } from "../simulator/world.ts";
import { type CommandCall, command } from "./common/command.ts";
import { countOption, textOption, wrongOption } from "./common/options.ts";

export const simulateCommand = command({
  name: "simulate",
  summary: "send the frames of a made-up fleet to a server",
  details: [
    "Sends the demo's fleet to any ingest port. The server must know its devices: load what --fleet prints.",
    "Without --rate it drives in real time; with it, it sends that many frames a second, from --days ago until now.",
    "Ctrl-C stops it, with a summary of what was sent and acknowledged, and how long that took.",
    "Put the token into ODOGRAPH_INGEST_TOKEN to hide it from other users of the machine.",
  ].join("\n"),
  options: [
    { name: "to", placeholder: "URL", help: "the ingest port, e.g. http://127.0.0.1:8081 (required to send)" },
    {
      name: "token",
      placeholder: "T",
      help: "an ingest token of the fleet's account (required to send; ODOGRAPH_INGEST_TOKEN)",
    },
    { name: "vehicles", placeholder: "N", help: "how many vehicles (default: 40)" },
    { name: "rate", placeholder: "R", help: "frames a second (default: as they happen)" },
    { name: "days", placeholder: "N", help: "with --rate: how long ago the first frame is (default: 14)" },
    { name: "seconds", placeholder: "N", help: "stop after this time (default: run until stopped)" },
    { name: "seed", placeholder: "N", help: "another seed is another fleet (default: 1)" },
    { name: "fleet", help: "print the fleet file of this world, without passwords, and end" },
    { name: "truth", help: "print what really happened in the last --days, as JSON, and end" },
  ],
  run: simulate,
});

/** As many frames as a gateway sends together. */
const maxPerRequest = 500;
const liveTickMs = 1_000;
const reportMs = 5_000;

async function simulate(call: CommandCall): Promise<void> {
  const { terminal } = call;
  const days = countOption(call, "days") ?? 14;
  const now = Date.now();
  const options = { seed: countOption(call, "seed") ?? 1, vehicles: countOption(call, "vehicles") ?? 40 };
  const world = createWorld({ ...options, from: now - days * dayMs });
  if (call.options.fleet) {
    // Every demo has these passwords, so they are left out: nobody can sign in until the fleet file gets others.
    const unpublished = (name: string, value: unknown) => (name === "password" ? undefined : value);
    for (const record of world.fleet) terminal.out(JSON.stringify(record, unpublished));
    return;
  }
  if (call.options.truth) return terminal.out(JSON.stringify(world.truth(now - days * dayMs, now)));
  const destination = readDestination(call);
  const rate = countOption(call, "rate");
  const seconds = countOption(call, "seconds") ?? Number.POSITIVE_INFINITY;
  const tally = new DeliveryTally();
  const stop = stopAfter(seconds);
  const report = setInterval(() => terminal.note(summary(tally)), reportMs);
  try {
    // An address that never answered is probably wrong.
    const send = async (frames: readonly CanonicalFrame[]) => {
      tally.add(frames.length, await deliver(destination, frames, tally.sent > 0 ? manyAttempts : undefined));
    };
    const since = rate === null ? now : await catchUp(world, now - days * dayMs, rate, send, stop);
    await drive(world, since, send, stop);
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error;
    throw new Failure("REFUSED", error.message, { cause: error });
  } finally {
    clearInterval(report);
  }
  if (tally.firstReason !== null) terminal.note(`odograph: the first refusal: ${tally.firstReason}`);
  terminal.out(summary(tally));
  if (tally.sent > 0 && tally.refused === tally.sent) throw new Failure("REFUSED", "no frame was accepted");
}

function readDestination(call: CommandCall): Destination {
  const to = textOption(call, "to");
  const token = textOption(call, "token") ?? call.environment.ODOGRAPH_INGEST_TOKEN;
  if (to === null) throw new Failure("WRONG_CALL", "--to is missing");
  if (!token) throw new Failure("WRONG_CALL", "--token is missing (or ODOGRAPH_INGEST_TOKEN)");
  if (!URL.canParse(to) || !/^https?:/.test(to))
    throw wrongOption("to", "an address such as http://127.0.0.1:8081", to);
  return { url: to.replace(/\/+$/, ""), token };
}

interface Stop {
  readonly isStopped: () => boolean;
  readonly whenStopped: Promise<void>;
}

function stopAfter(seconds: number): Stop {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopped = false;
  const end = () => {
    isStopped = true;
    resolve();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);
  if (Number.isFinite(seconds)) setTimeout(end, seconds * 1000);
  return { isStopped: () => isStopped, whenStopped: promise };
}

type Send = (frames: readonly CanonicalFrame[]) => Promise<void>;

/** In real time: every second, sends what has arrived since the last. */
async function drive(world: World, since: number, send: Send, stop: Stop): Promise<void> {
  for (let from = since; !stop.isStopped(); ) {
    await Promise.race([Bun.sleep(liveTickMs), stop.whenStopped]);
    const until = Date.now();
    for (const frames of batches(world.messages(from, until))) await send(frames);
    from = until;
  }
}

/** At a rate: in order from the past until now, which is returned. */
async function catchUp(world: World, from: number, rate: number, send: Send, stop: Stop): Promise<number> {
  const until = Date.now();
  const began = performance.now();
  // At most a tenth of a second's frames, so that a slow rate is even.
  const size = Math.min(maxPerRequest, Math.max(1, Math.floor(rate / 10)));
  let sent = 0;
  for (const frames of batches(world.messages(from, until), size)) {
    const dueMs = began + (sent / rate) * 1000 - performance.now();
    if (dueMs > 0) await Promise.race([Bun.sleep(dueMs), stop.whenStopped]);
    if (stop.isStopped()) break;
    await send(frames);
    sent += frames.length;
  }
  return until;
}

/** Joins messages, so that each request carries as much as a gateway would send. */
function* batches(messages: ReturnType<World["messages"]>, size = maxPerRequest): Generator<CanonicalFrame[]> {
  let batch: CanonicalFrame[] = [];
  for (const { frames } of messages) {
    for (const frame of frames) batch.push(frame);
    for (; batch.length >= size; batch = batch.slice(size)) yield batch.slice(0, size);
  }
  if (batch.length > 0) yield batch;
}

function summary(tally: DeliveryTally): string {
  const perSecond = Math.round(tally.sent / Math.max(tally.seconds, 0.001));
  const { sent, accepted, duplicate, refused } = tally;
  const latency = `p50 ${tally.latencyMs(0.5).toFixed(1)} ms, p99 ${tally.latencyMs(0.99).toFixed(1)} ms`;
  return `${quantity(sent, "frame")} sent (${perSecond}/s): ${accepted} accepted, ${duplicate} duplicate, ${refused} refused; ${latency}`;
}
