import { Failure } from "../domain/errors.ts";
import type { IncomingFrame } from "../intake/incoming-frame.ts";
import type { Destination } from "../simulator/sender.ts";
import type { WorldOptions } from "../simulator/world.ts";
import type { HistoryPart } from "./demo/demo-parts.ts";
import type { FromDemo, ToDemo } from "./demo-thread.ts";

/** Batches that are made before they are needed: enough to store while the streets are made. */
const ahead = 6;

export interface FrameBatch {
  readonly frames: readonly IncomingFrame[];
  readonly arrivesAt: number;
}

type Answer = Exclude<FromDemo, { readonly kind: "failed" }>;

/** The thread that makes the demo's history and streets, as seen from the one that stores them. */
export class DemoMaker {
  readonly #thread: Worker;
  readonly #world: WorldOptions;
  readonly #pending: PromiseWithResolvers<Answer>[] = [];

  constructor(world: WorldOptions) {
    this.#world = world;
    // The compiled program contains the thread's file, too (scripts/bundled-packages.ts names it).
    this.#thread = new Worker(new URL("./demo-thread.ts", import.meta.url).href);
    this.#thread.onmessage = ({ data }: MessageEvent<FromDemo>) => {
      if (data.kind === "failed") this.#fail(data.message);
      else this.#pending.shift()?.resolve(data);
    };
    this.#thread.onerror = ({ message }) => this.#fail(message);
  }

  /** In the order in which they arrive, some thousands at a time. They are being made from now on. */
  frames(from: number, until: number): AsyncIterable<FrameBatch> {
    this.#thread.postMessage({ kind: "begin", world: this.#world, from, until } satisfies ToDemo);
    return this.#batches(Array.from({ length: ahead }, () => this.#ask({ kind: "frames" })));
  }

  /** Sends the frames of a period to a server. Resolves when all of them are on its disk and derived. */
  async send(period: HistoryPart, destination: Destination): Promise<void> {
    await this.#ask({ kind: "send", world: this.#world, destination, ...period });
  }

  /** The path of their archive. */
  async streets(directory: string): Promise<string> {
    const answer = await this.#ask({ kind: "streets", directory, seed: this.#world.seed });
    if (answer.kind !== "streets") throw new Failure("INTERNAL", "the demo's thread answered out of order");
    return answer.path;
  }

  /** What it was asked for and has not answered fails. */
  stop(): void {
    this.#thread.terminate();
    this.#fail("it was stopped");
  }

  async *#batches(coming: Promise<Answer>[]): AsyncIterable<FrameBatch> {
    for (;;) {
      const answer = await coming.shift();
      if (answer?.kind !== "frames" || answer.batch === null) return;
      coming.push(this.#ask({ kind: "frames" }));
      yield { frames: JSON.parse(answer.batch.json), arrivesAt: answer.batch.arrivesAt };
    }
  }

  #ask(message: ToDemo): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    // A demo that is stopped early does not wait for it.
    answer.promise.catch(() => {});
    this.#pending.push(answer);
    this.#thread.postMessage(message);
    return answer.promise;
  }

  #fail(message: string): void {
    for (const { reject } of this.#pending.splice(0))
      reject(new Failure("INTERNAL", `the demo was not made: ${message}`));
  }
}
