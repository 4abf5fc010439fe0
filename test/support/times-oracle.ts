import fc from "fast-check";
import type { RuleTimes, TimesOfDay, Weekday } from "../../src/domain/alerts/rule-times.ts";

/** Whether rules hold, read from the clock on the wall: it knows nothing of how the program finds it. */

const stepMs = 900_000;
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** What the clocks of a zone show, as `2026-03-29 02:30`. */
function clockIn(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  return (at) => format.format(at);
}

const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** The first quarter of an hour at which the clocks show this or later. */
function firstShowing(shown: string, clock: (at: number) => string): number {
  let at = Date.parse(`${shown.replace(" ", "T")}Z`) - 16 * 3_600_000;
  while (clock(at) < shown) at += stepMs;
  return at;
}

/** The moments from one to another at which the rule begins or ceases to hold. */
export function spansByClock(times: RuleTimes, zone: string, first: number, last: number): [number, number][] {
  const clock = clockIn(zone);
  const spans: [number, number][] = [];
  const dayOf = (at: number) => Math.floor(at / 86_400_000);
  for (let day = dayOf(first) - 3; day <= dayOf(last) + 2; day++) {
    const [date, next] = [dateOf(day), dateOf(day + 1)];
    const from = (text: string) => firstShowing(text, clock);
    if (times.dates_off.includes(date)) spans.push([from(`${date} 00:00`), from(`${next} 00:00`)]);
    const weekday = days[new Date(day * 86_400_000).getUTCDay()] as Weekday;
    for (const part of times.within.filter((one) => one.days.includes(weekday))) {
      const until = part.until > part.from ? date : next;
      spans.push([from(`${date} ${part.from}`), from(`${until} ${part.until}`)]);
    }
  }
  return joined(spans);
}

function joined(spans: [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, until] of spans.sort(([one], [other]) => one - other)) {
    const before = result.at(-1);
    if (from >= until) continue;
    if (before !== undefined && from <= before[1]) before[1] = Math.max(before[1], until);
    else result.push([from, until]);
  }
  return result;
}

/** What is left within the spans of something that lasted so long (null: it lasts), as known by the last frame. */
export function cutTo(
  spans: readonly (readonly [number, number])[],
  since: number,
  until: number | null,
  lastFrameAt: number,
): [number, number | null][] {
  return spans.flatMap(([from, to]): [number, number | null][] => {
    if (since === until) return from <= since && since < to ? [[since, since]] : [];
    const begin = Math.max(since, from);
    if (until === null) return begin > lastFrameAt || begin >= to ? [] : [[begin, to <= lastFrameAt ? to : null]];
    const end = Math.min(until, to);
    return begin < end ? [[begin, end]] : [];
  });
}

const clockTime = fc
  .tuple(fc.nat(23), fc.constantFrom("00", "15", "30", "45"))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`);
const part: fc.Arbitrary<TimesOfDay> = fc.record({
  days: fc.subarray([...days], { minLength: 1 }),
  from: clockTime,
  until: clockTime,
});

/** Of some days from a moment on. */
export function anyTimes(beginAt: number): fc.Arbitrary<RuleTimes> {
  const dates = [0, 1, 2].map((day) => new Date(beginAt + day * 86_400_000).toISOString().slice(0, 10));
  return fc
    .record({ within: fc.array(part, { maxLength: 3 }), dates_off: fc.subarray(dates, { maxLength: 1 }) })
    .filter(({ within, dates_off }) => within.length + dates_off.length > 0);
}
