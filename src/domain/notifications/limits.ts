import { dayMs } from "../time/time.ts";

/** How many mails there may be in a time. What is beyond waits, and comes together. */
export interface MailLimit {
  readonly mails: number;
  readonly withinMs: number;
}

/** A person who gets a mail every six minutes reads none of them. */
export const personLimit: MailLimit = { mails: 10, withinMs: 3_600_000 };

/** What a provider takes from a small sender in a day, and far more than the people of a fleet read. */
export const accountLimit: MailLimit = { mails: 1_000, withinMs: dayMs };

/** When the next mail may be sent, by the times of the last ones in any order. Not before `now`. */
export function nextAllowed({ mails, withinMs }: MailLimit, sent: readonly number[], now: number): number {
  const recent = sent.filter((at) => at > now - withinMs).sort((one, other) => one - other);
  const first = recent[recent.length - mails];
  return first === undefined ? now : first + withinMs;
}

/** Who was or will be mailed, and when. */
export interface CountedMail {
  readonly user_id: string;
  readonly at: number;
}

/** When both limits allow a mail to a person, by the mails of the account that count. Not before `now`. */
export function nextAllowedTo(userId: string, counted: readonly CountedMail[], now: number): number {
  const own = counted.filter(({ user_id }) => user_id === userId).map(({ at }) => at);
  const all = counted.map(({ at }) => at);
  return Math.max(nextAllowed(personLimit, own, now), nextAllowed(accountLimit, all, now));
}

/** Mails of the portal in the longest of these times. */
export const longestLimitMs = Math.max(personLimit.withinMs, accountLimit.withinMs);
