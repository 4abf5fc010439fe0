import { type RuleTimes, type TimesOfDay, type Weekday, weekdays } from "../../../domain/alerts/rule-times.ts";
import type { Show } from "../../both-sides/reading/show.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";

type Words = AdministrationTexts["rules"]["times"];

/** When a rule holds: "Mon–Fri 20:00–06:00; Sat, Sun all day; 3 dates". */
export function timesWords({ within, dates_off }: RuleTimes, show: Show, words: Words): string {
  const parts = within.map((part) => `${daysWords(part.days, show, words)} ${hoursWords(part, show, words)}`);
  const count = dates_off.length;
  if (count > 0)
    parts.push(count <= maxNamed ? dates_off.map((day) => show.day(day)).join(", ") : words.dates(show.number(count)));
  return parts.join("; ");
}

/** More dates than anybody reads in a row of a table. */
const maxNamed = 2;

/** 1970-01-05 was a Monday. */
const monday = 4;

/** Of a day of the week, in the person's language. */
export function weekdayName(day: Weekday, show: Show, length: "short" | "long"): string {
  return show.weekday(monday + weekdays.indexOf(day), length);
}

/** Three and more in a row are a range. */
function daysWords(days: readonly Weekday[], show: Show, words: Words): string {
  if (days.length === weekdays.length) return words.everyDay;
  const name = (index: number) => weekdayName(weekdays[index] ?? "mon", show, "short");
  const runs: [number, number][] = [];
  for (const [index, day] of weekdays.entries()) {
    if (!days.includes(day)) continue;
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs
    .map(([first, last]) => {
      if (last - first >= 2) return `${name(first)}–${name(last)}`;
      return last === first ? name(first) : `${name(first)}, ${name(last)}`;
    })
    .join(", ");
}

function hoursWords({ from, until }: TimesOfDay, show: Show, words: Words): string {
  if (from === "00:00" && until === "00:00") return words.allDay;
  const clock = (time: string) => show.time(Date.parse(`1970-01-01T${time}:00Z`), "time", "UTC");
  return `${clock(from)}–${clock(until)}`;
}
