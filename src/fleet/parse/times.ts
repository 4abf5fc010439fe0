import { z } from "zod";
import { type RuleTimes, weekdays } from "../../domain/alerts/rule-times.ts";
import type { Json } from "../../domain/fleet.ts";
import { parseInstant } from "../../domain/time/time.ts";

/** More than a week of changing shifts takes. An open alert stores them, so they are few. */
const maxParts = 20;
/** The public holidays of some years. */
const maxDates = 100;

const anyTime = 'a time of the day such as "20:00", from "00:00" to "23:59"';
const anyDate = 'a date such as "2026-12-25"';
const anyDays = `an array of days of the week (${weekdays.join(", ")}), at least one`;
const anyPart = "an object with days, from and until";
const anyParts = `an array of at most ${maxParts} objects with days, from and until`;
const anyDates = `an array of at most ${maxDates} dates`;
const anyTimes =
  'an object such as {"within":[{"days":["mon"],"from":"20:00","until":"06:00"}],"dates_off":["2026-12-25"]}';

/** For a type of alert that raises nothing without them. */
export const timesNeeded = `the times at which the alert is raised, ${anyTimes}`;

const time = z.string({ error: anyTime }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: anyTime });

const date = z
  .string({ error: anyDate })
  .refine((text) => text.length === "YYYY-MM-DD".length && parseInstant(text) !== null, { error: anyDate });

const part = z.object(
  {
    // In the order of the week, each once.
    days: z
      .array(z.enum(weekdays, { error: `one of ${weekdays.join(", ")}` }), { error: anyDays })
      .min(1, { error: anyDays })
      .max(maxParts, { error: anyDays })
      .transform((days) => weekdays.filter((day) => days.includes(day))),
    from: time,
    until: time,
  },
  { error: anyPart },
);

const times = z.object(
  {
    within: z.array(part, { error: anyParts }).max(maxParts, { error: anyParts }).nullish(),
    dates_off: z.array(date, { error: anyDates }).max(maxDates, { error: anyDates }).nullish(),
  },
  { error: anyTimes },
);

/** The names in `times`. */
export const knownInTimes = { within: { days: null, from: null, until: null }, dates_off: null };

interface TimesRead {
  /** Null: always. */
  readonly times: (RuleTimes & Json) | null;
  readonly problems: readonly { readonly path: readonly PropertyKey[]; readonly expected: string }[];
}

/** Reads the times of a rule, in one spelling. */
export function readTimes(raw: unknown): TimesRead {
  const { data, error } = times.nullish().safeParse(raw);
  const problems = error?.issues.map(({ path, message }) => ({ path: ["times", ...path], expected: message })) ?? [];
  const within = data?.within ?? [];
  const dates_off = [...new Set(data?.dates_off)].sort();
  return { times: within.length + dates_off.length === 0 ? null : { within, dates_off }, problems };
}
