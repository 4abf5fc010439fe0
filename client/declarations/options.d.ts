import type { ClientOptions } from "./transport.ts";
/** The options, or what is wrong with them: a wrong name would else be an error about something else. */
export declare function checkedOptions(options: ClientOptions): ClientOptions;
