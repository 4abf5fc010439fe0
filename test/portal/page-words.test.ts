import { describe, expect, test } from "bun:test";
import { dayAt } from "../../src/portal/both-sides/periods/days.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as administration from "../../src/portal/both-sides/texts/en/administration/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { attendanceHeader, noteTouch } from "../../src/portal/page/api/attendance.ts";
import { PortalError } from "../../src/portal/page/api/request.ts";
import { foundItems } from "../../src/portal/page/common/fields/check-items.ts";
import { errorWords, fieldProblems } from "../../src/portal/page/common/loading/error-words.ts";
import { expiryOf } from "../../src/portal/page/keys/expiry.ts";
import { nothingShown } from "../../src/portal/page/map/map-words.ts";
import { isEarlierStart, validFromOf, whyNoStart } from "../../src/portal/page/rules/rules-api.ts";

const { errors } = de;

const now = Date.UTC(2026, 10, 15, 22, 30);
const dayMs = 86_400_000;

describe("the end of a key", () => {
  test.each(["UTC", "Europe/Berlin", "America/Santiago", "Pacific/Kiritimati"])(
    "on a date is within that day of %s, and no earlier than its last second",
    (zone) => {
      for (const day of ["2026-11-15", "2026-12-20", "2027-03-28", "2028-02-29"]) {
        const at = Date.parse(expiryOf("date", day, zone, now) ?? "");
        expect(dayAt(at, zone)).toBe(day);
        expect(dayAt(at + 1, zone)).not.toBe(day);
      }
    },
  );

  test("is that of UTC for a person who has chosen UTC", () => {
    expect(expiryOf("date", "2026-12-20", "UTC", now)).toBe("2026-12-20T23:59:59.999Z");
  });

  test("is so many days from now, or never", () => {
    expect(Date.parse(expiryOf("30", "", "UTC", now) ?? "")).toBe(now + 30 * dayMs);
    expect(expiryOf("never", "", "UTC", now)).toBeNull();
  });
});

describe("the vehicles to choose from", () => {
  const inCountingOrder = new Intl.Collator("en", { numeric: true }).compare;
  const vehicles = Array.from({ length: 300 }, (_, index) => ({
    id: `id ${index}`,
    name: `Van ${index}`,
    detail: `HH ${index}`,
    also: `35${index}`,
  })).reverse();
  const names = (search: string, ...first: number[]) =>
    foundItems(vehicles, search, new Set(first.map((index) => `id ${index}`)), inCountingOrder).map(({ name }) => name);

  test("begin with those that are assigned, and go on in counting order", () => {
    expect(names("", 250, 7).slice(0, 4)).toEqual(["Van 7", "Van 250", "Van 0", "Van 1"]);
    expect(names("").length).toBe(300);
  });

  test("are found by name, plate and IMEI", () => {
    expect(names(" van 29", 299).slice(0, 3)).toEqual(["Van 299", "Van 29", "Van 290"]);
    expect([names("hh 299"), names("35298"), names("tram")]).toEqual([["Van 299"], ["Van 298"], []]);
  });
});

test("a map without a vehicle tells each what they can do about it", () => {
  const words = (role: "owner" | "sub_account", hasVehicles: boolean) =>
    nothingShown(role, hasVehicles, en.map).texts.join(" ");
  expect(words("owner", false)).toContain("the IMEI of its tracker");
  expect(nothingShown("owner", false, en.map).next).toBe("add");
  expect(nothingShown("sub_account", false, en.map).next).toBeNull();
  expect(words("sub_account", false)).toBe("Ask the owner of the account to assign some to you.");
  expect(words("owner", true)).toContain("The first steps show what is missing.");
  expect(nothingShown("owner", true, en.map).next).toBe("go on");
  expect(nothingShown("sub_account", true, en.map).next).toBeNull();
  expect(words("owner", true)).not.toContain("owner");
  expect(words("sub_account", true)).toContain("ask the owner");
});

describe("a refusal of the server", () => {
  const refused = (code: string, fields: Record<string, string>, details = {}) =>
    new PortalError(400, code, { message: "The server's own words.", fields, body: details });

  test("is said in the person's language where all its fields are known, else in the server's words", () => {
    expect(errorWords(refused("INVALID_REQUEST", { valid_from: "Must be at most 5 minutes…" }), { errors })).toBe(
      "Dieser Zeitpunkt liegt in der Zukunft. Bitte einen in der Vergangenheit wählen.",
    );
    const two = { "rules[0].parameters.limit_kmh": "Expected …", "rules[1].geofence_ids[0]": "Expected …" };
    expect(errorWords(refused("INVALID_REQUEST", two), { errors })).toBe(errors.fields.rules ?? "");
    expect(errorWords(refused("INVALID_REQUEST", { ...two, new_field: "…" }), { errors })).toBe(
      "The server's own words.",
    );
    expect(errorWords(refused("INVALID_REQUEST", {}), { errors })).toBe("The server's own words.");
    expect(fieldProblems(refused("INVALID_REQUEST", { "tags[3]": "…" }), { errors })).toEqual({
      tags: errors.fields.tags ?? "",
    });
  });

  test("because another person was faster is said, and what else stands in the way is the server's to say", () => {
    expect(errorWords(refused("CONFLICT", {}, { current: {}, revision: 2 }), { errors })).toBe(errors.conflict);
    expect(errorWords(refused("CONFLICT", {}), { errors })).toBe("The server's own words.");
  });

  test("has words for the same fields in every language", () => {
    for (const language of [es, pt, de]) {
      expect(Object.keys(language.errors.fields)).toEqual(Object.keys(en.errors.fields));
    }
  });
});

describe("the day from which a rule holds", () => {
  const zone = "America/Santiago";

  test("is a day of the person's calendar up to today: none to come is sent", () => {
    const today = dayAt(now, zone);
    expect(validFromOf(null, zone, now)).toBeUndefined();
    expect(validFromOf(today, zone, now)).toBe("2026-11-15T03:00:00.000Z");
    expect(validFromOf("2026-11-16", zone, now)).toBeNull();
    expect(validFromOf("", zone, now)).toBeNull();
  });

  test("alone is a change if the same rules hold from later on only", () => {
    const speeding = { alert_type: "speeding", parameters: { limit_kmh: 90 } } as const;
    const valid_from = "2026-11-10T00:00:00.000Z";
    const rules = {
      id: "all",
      rules: [speeding],
      valid_from,
      revision: 2,
      managed_by: "portal",
      is_made_here: true,
    } as const;
    expect(isEarlierStart(rules, "speeding", "2026-11-09T00:00:00.000Z")).toBe(true);
    expect(isEarlierStart(rules, "speeding", valid_from)).toBe(false);
    expect(isEarlierStart(rules, "speeding", undefined)).toBe(false);
    expect(isEarlierStart(rules, "idling", "2026-11-09T00:00:00.000Z")).toBe(false);
    const words = administration.rules;
    const showTime = (at: number) => new Date(at).toISOString().slice(0, 10);
    expect(whyNoStart(rules, "speeding", words, showTime)).toContain("has applied since 2026-11-10");
    expect(whyNoStart(rules, "idling", words, showTime)).toContain("Nothing is set here yet");
    const always = { ...rules, valid_from: "1970-01-01T00:00:00.000Z" };
    expect(whyNoStart(always, "speeding", words, showTime)).toContain("already applies to all of the past");
  });
});

test("a page says that nobody is there a minute after it was touched last", () => {
  noteTouch(now);
  expect(attendanceHeader(now + 60_000)).toEqual({});
  expect(attendanceHeader(now + 60_001)).toEqual({ "X-Odograph-Unattended": "1" });
  noteTouch(now + 70_000);
  expect(attendanceHeader(now + 70_001)).toEqual({});
});
