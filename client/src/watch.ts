import { type LookOptions, untilAborted, waitQuietly } from "./looking.ts";
import { type Query, type Send, sleep } from "./transport.ts";
import type { LatestPosition } from "./types/index.ts";

/** More often than every 10 seconds, the default, gains nothing. */
export type WatchOptions = LookOptions;

interface KnownPage {
  readonly etag: string | null;
  readonly data: LatestPosition[];
  readonly next_cursor: string | null;
}

/**
 * The live positions, at once and then whenever they have changed, until the loop is left or the signal ends it. A look
 * that finds nothing new is free of the day's requests. Never gives up on a server that may come back.
 */
export function watchLatest(
  send: Send,
  query: Query,
  options: WatchOptions,
): AsyncGenerator<LatestPosition[], void, undefined> {
  return untilAborted(options.signal, looks(send, query, options));
}

async function* looks(
  send: Send,
  query: Query,
  { intervalS = 10, onWait = waitQuietly, signal }: WatchOptions,
): AsyncGenerator<LatestPosition[], void, undefined> {
  /** By the cursor that leads to it. */
  let known = new Map<string, KnownPage>();
  while (!signal?.aborted) {
    const seen = new Map<string, KnownPage>();
    let isChanged = false;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const before: KnownPage | undefined = known.get(cursor);
      const words = cursor === "" ? query : { ...query, cursor };
      const { headers, body } = await send("/positions/latest", words, { signal, onWait, etag: before?.etag ?? null });
      const page: KnownPage =
        body === null && before ? before : { ...(body as Omit<KnownPage, "etag">), etag: headers.get("ETag") };
      if (page !== before) isChanged = true;
      seen.set(cursor, page);
      cursor = page.next_cursor;
    }
    if (isChanged || seen.size !== known.size) yield [...seen.values()].flatMap(({ data }) => data);
    known = seen;
    await sleep(intervalS * 1000, signal);
  }
}
