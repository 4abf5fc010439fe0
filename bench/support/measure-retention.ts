import { fileURLToPath } from "node:url";
import type { FilledStore } from "./filled-store.ts";
import { LiveFrames, type Measure, printHead, printRow } from "./measure.ts";
import { type Sent, sendFrames } from "./send.ts";
import { metricOf, type ServedVersion, serve } from "./version.ts";

const bodiesPerSecond = 50;
const pollMs = 50;
/** Older than every frame. */
const nothingRetainDays = 400;
const dropped = 'odograph_observations_total{kind="frames_dropped"}';

interface Passes {
  readonly emptyMs: number;
  readonly usual: Sent;
  readonly besideEmpty: Sent;
  readonly besideHalf: Sent;
  readonly halfSeconds: number;
}

/**
 * A pass of retention that finds nothing, and one that drops half of the frames, as the server does it when it starts; and how
 * long a body of ten frames takes beside it, against a server that has just started and drops nothing.
 */
export const measureRetention: Measure = async (stores, { seconds }) => {
  const passes: Passes[] = [];
  for (const store of stores) {
    const live = new LiveFrames(store);
    const seconds5 = 5 * seconds;
    const emptyMs = await emptyPass(store);
    const usual = await beside(store, live, [], () => Bun.sleep(seconds5 * 1000));
    const empty = ["--retain-days", String(nothingRetainDays)];
    const besideEmpty = await beside(store, live, empty, () => Bun.sleep(seconds5 * 1000));
    let halfSeconds = 0;
    const half = ["--retain-days", String(store.halfRetainDays)];
    const besideHalf = await beside(store, live, half, async (server) => {
      const began = performance.now();
      while ((await metricOf(server, dropped)) === 0) await Bun.sleep(pollMs);
      halfSeconds = (performance.now() - began) / 1000;
    });
    passes.push({ emptyMs, usual, besideEmpty, besideHalf, halfSeconds });
  }
  printHead("retention", stores);
  const row = (name: string, cell: (pass: Passes) => string) => printRow(name, passes.map(cell));
  row("a pass with nothing to drop", ({ emptyMs }) => `${emptyMs.toFixed(0)} ms`);
  row("a pass that drops half", ({ halfSeconds }) => `${halfSeconds.toFixed(1)} s`);
  row("POST /frames, usual p50 / p99 ms", ({ usual }) => percentiles(usual));
  row("  beside a pass for nothing", ({ besideEmpty }) => percentiles(besideEmpty));
  row("  beside one that drops half", ({ besideHalf }) => percentiles(besideHalf));
};

function percentiles({ p50Ms, p99Ms }: Sent): string {
  return `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)}`;
}

/** Sends frames to a server of these flags, from its start until the work is done. */
async function beside(
  { version, target, token }: FilledStore,
  live: LiveFrames,
  flags: readonly string[],
  work: (server: ServedVersion) => Promise<unknown>,
): Promise<Sent> {
  const server = await serve(version, target, flags);
  try {
    let isDone = false;
    const ended = work(server).then(() => {
      isDone = true;
    });
    const all: Sent[] = [];
    while (!isDone) {
      all.push(await sendFrames(server.ingestUrl, token, live.bodies(bodiesPerSecond), { bodiesPerSecond, atOnce: 8 }));
    }
    await ended;
    return joined(all);
  } finally {
    await server.stop();
  }
}

/** All answers together. */
function joined(parts: readonly Sent[]): Sent {
  const latencies = parts.flatMap((part) => part.latenciesMs).sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return { framesPerSecond: Number.NaN, latenciesMs: latencies, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function emptyPass({ version, target }: FilledStore): Promise<number> {
  const before = Date.now() - nothingRetainDays * 86_400_000;
  const script = fileURLToPath(new URL("./retention-pass.ts", import.meta.url));
  const words = [process.execPath, script, version.root, JSON.stringify(target), String(before)];
  const child = Bun.spawn(words, { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error("the pass of retention failed");
  return (JSON.parse(text) as { ms: number }).ms;
}
