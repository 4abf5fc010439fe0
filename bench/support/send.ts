export interface Sent {
  readonly framesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly latenciesMs: readonly number[];
}

/** Sends bodies to the ingest port, some at a time, at full speed or at a rate, and insists that all frames are accepted. */
export async function sendFrames(
  url: string,
  token: string,
  bodies: readonly string[],
  options: { readonly atOnce?: number; readonly bodiesPerSecond?: number } = {},
): Promise<Sent> {
  const { atOnce = 2, bodiesPerSecond = Number.POSITIVE_INFINITY } = options;
  const latencies: number[] = [];
  const began = performance.now();
  let next = 0;
  let accepted = 0;
  const sender = async () => {
    for (let index = next++; index < bodies.length; index = next++) {
      const dueAt = began + (index / bodiesPerSecond) * 1000;
      if (dueAt > performance.now()) await Bun.sleep(dueAt - performance.now());
      const sentAt = performance.now();
      const count = await send(url, token, bodies[index] ?? "");
      accepted += count;
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  const seconds = (performance.now() - began) / 1000;
  latencies.sort((one, other) => one - other);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? 0;
  return { framesPerSecond: accepted / seconds, p50Ms: at(0.5), p99Ms: at(0.99), latenciesMs: latencies };
}

async function send(url: string, token: string, body: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(`${url}/frames`, { method: "POST", headers, body });
  const answer = (await response.json()) as { accepted?: number; refused?: unknown[] };
  if (response.status !== 200 || answer.refused?.length) throw new Error(JSON.stringify(answer).slice(0, 300));
  return answer.accepted ?? 0;
}
