/** What readers saw. */
export interface Readings {
  /** How many answers there were of each status; 0 is a call without an answer. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** More under way than this means that the machine cannot keep up: waiting lets everything else in this process go on. */
const maxUnderWay = 256;

/**
 * Calls paths of the API in turn at a steady rate, as several customers would; live positions with their tag. Where the machine
 * cannot keep up, there are fewer calls.
 */
export class SteadyReaders {
  readonly #statuses = new Map<number, number>();
  readonly #latencies: number[] = [];
  readonly #tags = new Map<string, string>();
  #isStopped = false;
  #underWay = 0;

  constructor(
    readonly url: string,
    readonly key: string,
    readonly paths: readonly string[],
  ) {}

  async run(perSecond: number): Promise<void> {
    let dueAt = performance.now();
    for (let index = 0; !this.#isStopped; index++) {
      dueAt += 1000 / perSecond;
      if (dueAt > performance.now()) await Bun.sleep(dueAt - performance.now());
      for (; this.#underWay >= maxUnderWay; dueAt = performance.now()) await Bun.sleep(1);
      this.#call(this.paths[index % this.paths.length] ?? "/v1/health");
    }
  }

  stop(): Readings {
    this.#isStopped = true;
    const sorted = this.#latencies.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    return { statuses: this.#statuses, p50Ms: at(0.5), p99Ms: at(0.99) };
  }

  async #call(path: string): Promise<void> {
    const began = performance.now();
    const tag = this.#tags.get(path);
    const headers: Record<string, string> = { "X-API-Key": this.key };
    if (tag !== undefined) headers["If-None-Match"] = tag;
    this.#underWay++;
    const response = await fetch(`${this.url}${path}`, { headers }).catch(() => null);
    const status = response?.status ?? 0;
    if (response !== null) {
      await response.arrayBuffer().catch(() => null);
      const etag = response.headers.get("etag");
      if (etag !== null) this.#tags.set(path, etag);
      this.#latencies.push(performance.now() - began);
    }
    this.#underWay--;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }
}
