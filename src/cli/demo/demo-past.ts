import type { Observe } from "../../observe/observation.ts";
import { repeat } from "../../observe/repeat.ts";
import type { DemoHistory } from "../../portal/both-sides/contract/session.ts";
import { historyInMaking } from "../../portal/demo-history.ts";
import type { Destination } from "../../simulator/sender.ts";
import { DemoMaker } from "../demo-maker.ts";
import type { DemoState } from "../serving/demo-state.ts";
import { partBefore } from "./demo-parts.ts";

/** What remains after a failure is tried again. */
const retryMs = 10_000;

/**
 * Makes the rest of a demo's history while it is served, from the newest day to the oldest: so what there is has no gap, and
 * the days that people look at come first. It is sent to the ingest side as a gateway would send what its trackers had saved
 * up, so it is stored beside the vehicles' new frames, and no request waits for it.
 */
export class DemoPast {
  readonly #save: (state: DemoState) => Promise<void>;
  #state: DemoState;
  #saved = Promise.resolve();

  /** `save` stores how far it is, for the next start. */
  constructor(state: DemoState, save: (state: DemoState) => Promise<void>) {
    this.#state = state;
    this.#save = save;
  }

  get inMaking(): DemoHistory | null {
    return historyInMaking(this.#state);
  }

  /** Whether its people have made links, plans and notifications. */
  get isFurnished(): boolean {
    return this.#state.isFurnished === true;
  }

  /** Something else of the state has changed. */
  note(changed: Partial<DemoState>): Promise<void> {
    this.#state = { ...this.#state, ...changed };
    // One after the other, so that what is stored last is the newest.
    this.#saved = this.#saved.catch(() => {}).then(() => this.#save(this.#state));
    return this.#saved;
  }

  /** Returns the function that stops it. What is not done then is done after the next start. */
  make(ingestUrl: string, observe: Observe): () => Promise<void> {
    if (this.inMaking === null) return async () => {};
    const destination = { url: ingestUrl, token: this.#state.token, isReused: false };
    const end = repeat("the demo's history", retryMs, observe, async (stop) => {
      const maker = new DemoMaker(this.#state);
      stop.addEventListener("abort", () => maker.stop());
      try {
        await this.#makeAll(maker, destination);
        // It has nothing to repeat.
        void end();
      } catch (error) {
        if (!stop.aborted) throw error;
      } finally {
        maker.stop();
      }
    });
    return end;
  }

  async #makeAll(maker: DemoMaker, destination: Destination): Promise<void> {
    const { from } = this.#state;
    for (let until = this.#state.historyFrom ?? from; until > from; ) {
      const part = partBefore(until, from);
      await maker.send(part, destination);
      until = part.from;
      await this.note({ historyFrom: until, isComplete: until === from });
    }
  }
}
