/** The window that was read. */
export interface ReadWindow {
    readonly from: string;
    readonly to: string;
    /** Whether more was asked for than is allowed, so that `from` was moved forward. */
    readonly isClamped: boolean;
}
export interface Page<Row> {
    readonly data: Row[];
    /** Null: the last page. */
    readonly nextCursor: string | null;
    /** Null where the list has none. */
    readonly window: ReadWindow | null;
    /** Of changes: where to begin next time, once all pages are read. Null for every other list. */
    readonly resumeAfter: string | null;
}
/** A list, read page by page as it is gone through. Going through it again reads it again. */
export declare class Pages<Row> implements AsyncIterable<Row> {
    #private;
    constructor(read: (cursor: string | null) => Promise<Page<Row>>);
    [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>;
    pages(): AsyncGenerator<Page<Row>, void, undefined>;
    /** All of it at once: for lists that are known to be short. */
    all(): Promise<Row[]>;
}
export declare function windowOf(headers: Headers): ReadWindow | null;
