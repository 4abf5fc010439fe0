import { expect, test } from "bun:test";
import fc from "fast-check";
import { alertTypes, severities } from "../../src/domain/alert-types.ts";
import {
  matchesChoice,
  type NotificationChoice,
  pacings,
  soonestChoice,
} from "../../src/domain/notifications/choice.ts";
import { dueAt, quietUntil } from "../../src/domain/notifications/due.ts";
import { nextAllowed } from "../../src/domain/notifications/limits.ts";
import { forAll } from "../support/for-all.ts";

const minuteMs = 60_000;
const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland");
const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
const minute = fc.integer({ min: 0, max: 1439 });
const quiet = fc.option(fc.record({ from: minute, until: minute }));

/** What a clock on the wall of that place shows, by the platform. */
function shownMinute(at: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const [hour = 0, minutes = 0] = shown.format(at).split(":").map(Number);
  return hour * 60 + minutes;
}

function isQuiet({ from, until }: { from: number; until: number }, shown: number): boolean {
  if (from === until) return false;
  return from < until ? shown >= from && shown < until : shown >= from || shown < until;
}

test("quiet hours are those that the person's clock shows, and end within a day", () => {
  forAll(500, [moment, zone, quiet], (at, timeZone, hours) => {
    const end = quietUntil({ quiet: hours, timeZone }, at);
    expect(end !== null).toBe(hours !== null && isQuiet(hours, shownMinute(at, timeZone)));
    if (end === null) return;
    expect(end).toBeGreaterThan(at);
    expect(end - at).toBeLessThanOrEqual(25 * 60 * minuteMs);
  });
});

test("a mail is due never before its alert is known, never in quiet hours but at a change of clocks, and within two days", () => {
  forAll(500, [moment, zone, quiet, fc.constantFrom(...pacings)], (now, timeZone, hours, pacing) => {
    const { at, held } = dueAt({ quiet: hours, timeZone, pacing }, now, now);
    expect(at).toBeGreaterThanOrEqual(now);
    expect(at - now).toBeLessThanOrEqual(51 * 60 * minuteMs);
    if (held === null && hours !== null) expect(isQuiet(hours, shownMinute(at, timeZone))).toBe(false);
    if (hours === null && pacing === "at_once") expect(at).toBe(now);
    if (hours === null && pacing === "day") expect(shownMinute(at, timeZone)).toBe(7 * 60);
  });
});

test("what occurred more than two hours ago is never sent at once", () => {
  forAll(200, [moment, zone, fc.integer({ min: 1, max: 1_000_000 })], (now, timeZone, lateMs) => {
    const { at, held } = dueAt({ quiet: null, timeZone, pacing: "at_once" }, now - 7_200_000 - lateMs, now);
    expect([at > now, held]).toEqual([true, "late"]);
  });
});

const some = <Value>(values: readonly Value[]) => fc.option(fc.subarray([...values], { minLength: 1 }));
const choice = fc.record({
  alertTypes: some(alertTypes),
  severities: some(severities),
  tags: some(["a", "b", "c"]),
  deviceIds: some(["1", "2", "3"]),
  pacing: fc.constantFrom(...pacings),
  id: fc.uuid(),
  since: fc.integer({ min: 0, max: 10 }),
});
const alert = fc.record({
  alertType: fc.constantFrom(...alertTypes),
  severity: fc.constantFrom(...severities),
  deviceId: fc.constantFrom("1", "2", "3"),
  tags: fc.subarray(["a", "b", "c"]),
  receivedAt: fc.integer({ min: 0, max: 10 }),
});
const rest = { userId: "", tellsEnd: false, quiet: null, timeZone: "UTC" };

test("of all choices that match, the soonest is taken; one that names less matches at least as much", () => {
  forAll(300, [fc.array(choice, { maxLength: 5 }), alert], (given, one) => {
    const choices: NotificationChoice[] = given.map((fields) => ({ ...fields, ...rest }));
    const found = soonestChoice(choices, one);
    const matching = choices.filter((other) => matchesChoice(other, one));
    expect(found === null).toBe(matching.length === 0);
    for (const { pacing } of matching) {
      expect(pacings.indexOf(pacing)).toBeGreaterThanOrEqual(pacings.indexOf(found?.pacing ?? "day"));
    }
    for (const other of choices) {
      const wider = { ...other, alertTypes: null, severities: null, tags: null, deviceIds: null };
      if (matchesChoice(other, one)) expect(matchesChoice(wider, one)).toBe(true);
      if (one.receivedAt < other.since) expect(matchesChoice(wider, one)).toBe(false);
    }
  });
});

test("in no time are there more mails than allowed, and one waits no longer than needed", () => {
  const limit = { mails: 3, withinMs: 100 };
  forAll(300, [fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 })], (asked) => {
    const sent: number[] = [];
    for (const at of asked.sort((one, other) => one - other)) {
      const now = Math.max(at, sent.at(-1) ?? 0);
      const allowed = nextAllowed(limit, sent, now);
      const inLast = (until: number) => sent.filter((time) => time > until - limit.withinMs && time <= until).length;
      expect(inLast(allowed)).toBeLessThan(limit.mails);
      if (allowed > now) expect(inLast(allowed - 1)).toBe(limit.mails);
      sent.push(allowed);
    }
  });
});
