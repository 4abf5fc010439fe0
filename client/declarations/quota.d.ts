/** What is left of a key's limits. */
export interface Quota {
    readonly perDay: number;
    readonly leftToday: number;
    /** Seconds until the day's counter begins anew. */
    readonly resetS: number;
    readonly perSecond: number;
    readonly leftThisSecond: number;
}
/** Null where an answer does not say it, such as one of a proxy. */
export declare function quotaOf(headers: Headers): Quota | null;
