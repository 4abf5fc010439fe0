import { type LookOptions } from "./looking.ts";
import { type Query, type Send } from "./transport.ts";
import type { LatestPosition } from "./types/index.ts";
/** More often than every 10 seconds, the default, gains nothing. */
export type WatchOptions = LookOptions;
/**
 * The live positions, at once and then whenever they have changed, until the loop is left or the signal ends it. A look
 * that finds nothing new is free of the day's requests. Never gives up on a server that may come back.
 */
export declare function watchLatest(send: Send, query: Query, options: WatchOptions): AsyncGenerator<LatestPosition[], void, undefined>;
