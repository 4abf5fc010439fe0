/** A moment: ISO 8601 as a text (UTC where it has no offset), or a Date. */
export type Time = string | Date;
/** The same in milliseconds. Unlike `Date.parse`, and like the API, it takes a text without an offset as UTC. */
export declare function millisecondsOf(time: Time): number;
