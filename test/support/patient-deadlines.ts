import { afterAll, beforeAll, mock } from "bun:test";
import { join } from "node:path";
import * as deadlineModule from "../../src/http/deadline.ts";
import * as turnsModule from "../../src/portal/edit-turns.ts";
import { patienceMs } from "./patience.ts";

/**
 * Loaded before every test file (bunfig.toml). A server gives up on a store that does not answer in seconds. On a machine that
 * does other work a store in good health may need longer, so in a test process a server has all the time of a test.
 * Tests of a store that hangs say `withProductDeadlines`.
 */

/** On the process: test files may have modules of their own. */
const isStrict = Symbol.for("odograph product deadlines");
const settings = globalThis as unknown as Record<symbol, boolean | undefined>;

/** For the tests of this file, or of the block in which it is said, the product's own limits hold. */
export function withProductDeadlines(): void {
  beforeAll(() => {
    settings[isStrict] = true;
  });
  afterAll(() => {
    settings[isStrict] = false;
  });
}

/** Copies: the modules' own names soon lead to what replaces them. */
const { inTime: inProductTime, storeDeadline: productStoreDeadline } = { ...deadlineModule };
const { EditTurns: ProductTurns } = { ...turnsModule };

const patient = (limitMs: number | undefined) => (settings[isStrict] ? limitMs : Math.max(limitMs ?? 0, patienceMs));
const inTime: typeof inProductTime = (work, limitMs) => inProductTime(work, patient(limitMs));
const storeDeadline: typeof productStoreDeadline = (store) => {
  const inStoreTime = productStoreDeadline(store);
  return (work, limitMs) => inStoreTime(work, patient(limitMs));
};

const source = join(import.meta.dir, "../../src");

mock.module(join(source, "http/deadline.ts"), () => ({ inTime, storeDeadline }));

mock.module(join(source, "portal/edit-turns.ts"), () => ({
  ...turnsModule,
  EditTurns: class extends ProductTurns {
    constructor(...[database, times]: ConstructorParameters<typeof ProductTurns>) {
      super(database, times ?? { turnMs: patienceMs, editMs: patienceMs, commitMs: patienceMs });
    }
  },
}));
