/** Polls the live positions at a steady rate. Returns the 99th percentile of the latency. */
export async function pollP99Ms(url: string, key: string, seconds: number, perSecond = 200): Promise<number> {
  const headers: Record<string, string> = { "X-API-Key": key, "Accept-Encoding": "identity" };
  const latencies: number[] = [];
  const began = performance.now();
  const polls: Promise<void>[] = [];
  for (let index = 0; index < seconds * perSecond; index++) {
    const dueAt = began + (index / perSecond) * 1000;
    if (dueAt > performance.now()) await Bun.sleep(dueAt - performance.now());
    polls.push(poll(url, headers, latencies));
  }
  await Promise.all(polls);
  latencies.sort((one, other) => one - other);
  return latencies[Math.floor(0.99 * (latencies.length - 1))] ?? 0;
}

async function poll(url: string, headers: Record<string, string>, latencies: number[]): Promise<void> {
  const sentAt = performance.now();
  const response = await fetch(`${url}/v1/positions/latest?limit=100`, { headers });
  await response.arrayBuffer();
  latencies.push(performance.now() - sentAt);
  const etag = response.headers.get("etag");
  if (etag !== null) headers["If-None-Match"] = etag;
}
