/** A moment: ISO 8601 as a text (UTC where it has no offset), or a Date. */
export type Time = string | Date;

/** The same in milliseconds. Unlike `Date.parse`, and like the API, it takes a text without an offset as UTC. */
export function millisecondsOf(time: Time): number {
  const isLocal = typeof time === "string" && /[T ][\d:.,]+$/i.test(time);
  const ms = time instanceof Date ? time.getTime() : Date.parse(isLocal ? `${time}Z` : time);
  if (Number.isNaN(ms)) throw new TypeError(`expected an ISO 8601 time or a Date, got "${time}"`);
  return ms;
}
