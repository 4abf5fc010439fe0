/** A moment: ISO 8601 as a text (UTC where it has no offset), or a Date. */
export type Time = string | Date;
