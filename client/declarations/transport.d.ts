export interface ClientOptions {
    /** Where the API is, with its version: `https://fleet.example/v1`. */
    readonly url: string;
    /** The API key. Keep it on a server: anyone who has it can read the fleet. */
    readonly key: string;
    /** How often a call is tried again that the server could not answer, or not yet. Default: 4. */
    readonly retries?: number | undefined;
    /** A call that would have to wait longer fails at once, as when the day's requests are used up. Default: 60. */
    readonly longestWaitS?: number | undefined;
    /** How long one try may take. Default: 60. */
    readonly timeoutS?: number | undefined;
    /** In the place of the global one, e.g. with a proxy. */
    readonly fetch?: Fetch | undefined;
    /** Gets each warning once, such as of a parameter that the server has ignored. Default: `console.warn`. */
    readonly warn?: ((message: string) => void) | undefined;
}
export type Fetch = (address: string, init: RequestInit) => Promise<Response>;
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
