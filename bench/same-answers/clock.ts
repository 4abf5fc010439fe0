import { writeFileSync } from "node:fs";

/** The clock of all programs under comparison: a number in a file that they have mapped into their memory. */
export class SharedClock {
  readonly #cell: Float64Array;
  /** What else has to show the same time, such as the clock of a database. */
  readonly #followers: ((ms: number) => Promise<unknown>)[] = [];

  constructor(path: string, startMs: number) {
    writeFileSync(path, new Uint8Array(8));
    const shared = Bun.mmap(path, { shared: true });
    this.#cell = new Float64Array(shared.buffer, shared.byteOffset, 1);
    this.#cell[0] = startMs;
  }

  get now(): number {
    return this.#cell[0] as number;
  }

  async follow(set: (ms: number) => Promise<unknown>): Promise<void> {
    this.#followers.push(set);
    await set(this.now);
  }

  /** Never goes back. */
  async moveTo(ms: number): Promise<void> {
    if (ms <= this.now) return;
    this.#cell[0] = ms;
    if (this.#followers.length > 0) await Promise.all(this.#followers.map((set) => set(ms)));
  }

  moveBy(ms: number): Promise<void> {
    return this.moveTo(this.now + ms);
  }
}
