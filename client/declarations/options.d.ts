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
/** The options, or what is wrong with them: a wrong name would else be an error about something else. */
export declare function checkedOptions(options: ClientOptions): ClientOptions;
