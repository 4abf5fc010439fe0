import type { Change, RecordType } from "./changes.ts";
import { type LookOptions } from "./looking.ts";
import { type Send } from "./transport.ts";
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
/**
 * What becomes known, is corrected or is withdrawn, in batches, until the loop is left or the signal ends it. Never gives
 * up on a server that may come back. Nothing is skipped; a follower that begins again with a stored `resumeAfter` may get the last
 * batch again.
 */
export declare function followChanges<Type extends RecordType>(send: Send, query: FollowQuery<Type>, options: FollowOptions): AsyncGenerator<ChangeBatch<Type>, void, undefined>;
