import type { CallOptions, OnWait } from "./transport.ts";

/** Of a loop that looks again and again. */
export interface LookOptions extends CallOptions {
  /** Seconds between two looks when there is nothing more to read. Default: 10. */
  readonly intervalS?: number | undefined;
  /** Called before each wait for a server, network or limit that may let us through later. */
  readonly onWait?: OnWait | undefined;
}

/** With it a call waits for as long as it takes, without a report. */
export const waitQuietly: OnWait = () => {};

/** The same loop, which ends without an error once the signal says so. */
export async function* untilAborted<Item>(
  signal: AbortSignal | undefined,
  loop: AsyncGenerator<Item, void, undefined>,
): AsyncGenerator<Item, void, undefined> {
  try {
    yield* loop;
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error;
  }
}
