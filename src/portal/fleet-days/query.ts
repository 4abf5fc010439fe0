import { z } from "zod";
import { dayOf, earliestMs, parseInstant } from "../../domain/time/time.ts";
import { readFields } from "../read-body.ts";
import { invalidFields } from "../refusals.ts";
import { oneId, wholeNumberField } from "../request-fields.ts";
import { ascendingSorts, type RankKey, shows, sorts, usualSort } from "./ranking.ts";

/** That of the year 0: no earlier day can be written. */
const earliestDay = dayOf(earliestMs);
const maxDays = 366;
const maxLimit = 1_000;
const maxHighlights = 100;

const dayExpected = "expected a day such as 2026-11-15";
const day = z.string({ error: dayExpected }).refine(isDay, { error: dayExpected }).transform(dayNumber);
const cursorExpected = "expected the next_cursor of the page before";

function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: `expected one of ${words.join(", ")}` });
}

const fields = z.object({
  from: day,
  to: day,
  show: oneOf(shows).nullable().default(null),
  sort: oneOf(sorts).optional(),
  order: oneOf(["asc", "desc"]).optional(),
  limit: wholeNumberField(4, 1, maxLimit).default(100),
  highlights: wholeNumberField(4, 0, maxHighlights).default(0),
  compare: oneOf(["true", "false"]).default("false"),
  cursor: z.string().transform(readCursor).nullable().default(null),
  tag: z.array(z.string()),
  device_id: z.array(oneId("expected ids of devices")),
});

export type FleetDaysQuery = ReturnType<typeof readFleetDaysQuery>;

/** What is asked for, or everything that is wrong with it. */
export function readFleetDaysQuery(text: string) {
  const read = readFields(givenFields(text), fields);
  checkDays(read);
  const { from, to, show } = read;
  const before = read.compare === "true" ? { firstDay: from - (to - from + 1), lastDay: from - 1 } : null;
  if (before !== null && before.firstDay < earliestDay) {
    throw invalidFields({ from: "expected a day that has as many days before it to compare with" });
  }
  const sort = read.sort ?? usualSort[show ?? "all"];
  const isDescending = read.order === undefined ? !ascendingSorts.has(sort) : read.order === "desc";
  return {
    days: { firstDay: from, lastDay: to },
    before,
    selection: { tags: new Set(read.tag), deviceIds: new Set(read.device_id) },
    show,
    ranking: { sort, isDescending },
    limit: read.limit,
    highlights: read.highlights,
    after: read.cursor,
  };
}

/** Days and vehicles only. */
export function readDriverSumsQuery(text: string) {
  const read = readFields(givenFields(text), fields.pick({ from: true, to: true, tag: true, device_id: true }));
  checkDays(read);
  const { from, to, tag, device_id } = read;
  return { days: { firstDay: from, lastDay: to }, selection: { tags: new Set(tag), deviceIds: new Set(device_id) } };
}

function givenFields(text: string) {
  const given = new URLSearchParams(text);
  return { ...Object.fromEntries(given), tag: given.getAll("tag"), device_id: given.getAll("device_id") };
}

function checkDays({ from, to }: { readonly from: number; readonly to: number }): void {
  if (to < from) throw invalidFields({ to: "expected a day that is not before `from`" });
  if (to - from >= maxDays) throw invalidFields({ from: `expected at most ${maxDays} days` });
}

/** Not signed: a forged one shows nothing that its maker does not see anyway. */
export function writeCursor({ value, name, id }: RankKey): string {
  return Buffer.from(JSON.stringify([value, name, id])).toString("base64url");
}

const cursorContent = z.tuple([z.number().nullable(), z.string(), z.string()]);

function readCursor(text: string, context: z.RefinementCtx): RankKey {
  try {
    const [value, name, id] = cursorContent.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    return { value, name, id };
  } catch {
    context.addIssue({ code: "custom", message: cursorExpected });
    return z.NEVER;
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(text) !== null;
}

function dayNumber(text: string): number {
  return dayOf(parseInstant(text) ?? 0);
}
