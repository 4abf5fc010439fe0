import type { Change, RecordType } from "./changes.ts";
import { isFailure } from "./errors.ts";
import { type LookOptions, untilAborted, waitQuietly } from "./looking.ts";
import { type Send, sleep } from "./transport.ts";

export interface FollowQuery<Type extends RecordType = RecordType> {
  /** Where to go on: the `resumeAfter` that you stored. Without one it begins now, with a batch that `isStart`. */
  readonly after?: string | null | undefined;
  /** Default: all that the key's scopes grant. */
  readonly types?: readonly Type[] | undefined;
  readonly device_id?: string | undefined;
  readonly imei?: string | undefined;
  /** Only these fields of each change, separated by commas. Without `record` they only say what has changed. */
  readonly fields?: string | undefined;
  /** Adds `device_name` and `plate` to each change. */
  readonly include_names?: boolean | undefined;
  /** How many changes a batch may have. Default: 500, the most that the API gives. */
  readonly limit?: number | undefined;
}

export interface FollowOptions extends LookOptions {
  /**
   * What to do when `after` is older than what the service remembers. "throw", the default: an OdographError with the
   * code `CURSOR_EXPIRED`. "restart": begin now, with a batch that `isStart`.
   */
  readonly onExpired?: "throw" | "restart" | undefined;
}

export interface ChangeBatch<Type extends RecordType = RecordType> {
  /** In the order in which they were committed. May be empty. */
  readonly changes: Change<Type>[];
  /**
   * Store it when you have handled the batch, in the same transaction if you can. Who begins with it gets all that came
   * after this batch.
   */
  readonly resumeAfter: string;
  /**
   * Following begins here, and nothing from before will come: read the past with `backfill()` or the lists now, before
   * you store `resumeAfter`.
   */
  readonly isStart: boolean;
}

interface ChangesBody<Type extends RecordType> {
  readonly data: Change<Type>[];
  readonly next_cursor: string | null;
  readonly resume_after: string;
}

/**
 * What becomes known, is corrected or is withdrawn, in batches, until the loop is left or the signal ends it. Never gives
 * up on a server that may come back. Nothing is skipped; a follower that begins again with a stored `resumeAfter` may get the last
 * batch again.
 */
export function followChanges<Type extends RecordType>(
  send: Send,
  query: FollowQuery<Type>,
  options: FollowOptions,
): AsyncGenerator<ChangeBatch<Type>, void, undefined> {
  return untilAborted(options.signal, looks(send, query, options));
}

async function* looks<Type extends RecordType>(
  send: Send,
  query: FollowQuery<Type>,
  { intervalS = 10, onExpired = "throw", onWait = waitQuietly, signal }: FollowOptions,
): AsyncGenerator<ChangeBatch<Type>, void, undefined> {
  const { after: given, limit = 500, ...filters } = query;
  let after = given || null;
  let cursor: string | null = null;
  /** Of the last answer, which can only match while the same is asked. */
  let etag: string | null = null;
  while (!signal?.aborted) {
    try {
      const words = { ...filters, limit, after, cursor };
      const { headers, body } = await send("/changes", words, { signal, etag, onWait });
      const page = body === null ? null : readBody<Type>(body);
      const isStart = after === null;
      if (page && (isStart || page.data.length > 0 || page.resume_after !== after))
        yield { changes: page.data, resumeAfter: page.resume_after, isStart };
      cursor = page?.next_cursor ?? null;
      if (cursor !== null) continue;
      if (page) etag = page.resume_after === after ? headers.get("ETag") : null;
      after = page?.resume_after ?? after;
      if (!isStart) await sleep(intervalS * 1000, signal);
    } catch (error) {
      if (!isFailure(error, "CURSOR_EXPIRED") || onExpired === "throw" || after === null) throw error;
      after = cursor = etag = null;
    }
  }
}

function readBody<Type extends RecordType>(body: unknown): ChangesBody<Type> {
  const page = body as Partial<ChangesBody<Type>> | null;
  if (!Array.isArray(page?.data) || typeof page.resume_after !== "string")
    throw new TypeError("the answer has no changes: is the url that of the API, with its version?");
  return page as ChangesBody<Type>;
}
