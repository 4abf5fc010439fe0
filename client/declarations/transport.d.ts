import { type ClientOptions } from "./options.ts";
export interface CallOptions {
    /** Ends the call, and the waiting before it is tried again. */
    readonly signal?: AbortSignal | undefined;
}
export type Query = object;
export interface Answer {
    readonly headers: Headers;
    /** Null: nothing has changed since the answer that `etag` names. */
    readonly body: unknown;
}
/** What went wrong, and the seconds until the next try. */
export type OnWait = (error: unknown, waitS: number) => void;
export interface SendOptions extends CallOptions {
    readonly etag?: string | null;
    /** Makes the call wait for as long as it takes, whatever the client's options say, and is called before each wait. */
    readonly onWait?: OnWait;
}
export type Send = (path: string, query: Query, options: SendOptions) => Promise<Answer>;
/** Calls the API, as often as it takes within the options. */
export declare function createTransport(options: ClientOptions, onHeaders: (headers: Headers) => void): Send;
export declare function sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
