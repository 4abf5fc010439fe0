export { OdographClient, type OneDevice } from "./client.ts";
export { type FailureCode, OdographError } from "./errors.ts";
export type { Page, Pages, ReadWindow } from "./pages.ts";
export type { Quota } from "./quota.ts";
export type { Time } from "./time.ts";
export type { CallOptions, ClientOptions, Fetch } from "./transport.ts";
export type * from "./types/index.ts";
export type { WatchOptions } from "./watch.ts";
