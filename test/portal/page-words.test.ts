import { describe, expect, test } from "bun:test";
import { attendanceHeader, noteTouch } from "../../src/portal/page/api/attendance.ts";
import type { Device } from "../../src/portal/page/api/records.ts";
import { dayAt } from "../../src/portal/page/common/days.ts";
import { expiryOf } from "../../src/portal/page/keys/expiry.ts";
import { nothingShown } from "../../src/portal/page/map/nothing-shown.ts";
import { assignable } from "../../src/portal/page/people/assignable.ts";
import { en } from "../../src/portal/page/texts/en/index.ts";

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

  test("is that of UTC for whoever has chosen UTC", () => {
    expect(expiryOf("date", "2026-12-20", "UTC", now)).toBe("2026-12-20T23:59:59.999Z");
  });

  test("is so many days from now, or never", () => {
    expect(Date.parse(expiryOf("30", "", "UTC", now) ?? "")).toBe(now + 30 * dayMs);
    expect(expiryOf("never", "", "UTC", now)).toBeNull();
  });
});

describe("the vehicles to choose from", () => {
  const inCountingOrder = new Intl.Collator("en", { numeric: true }).compare;
  const devices = Array.from(
    { length: 300 },
    (_, index) =>
      ({ device_id: `id ${index}`, name: `Van ${index}`, plate: `HH ${index}`, imei: `35${index}` }) as Device,
  ).reverse();
  const names = (search: string, ...first: number[]) =>
    assignable(devices, search, new Set(first.map((index) => `id ${index}`)), inCountingOrder).map(({ name }) => name);

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
  expect(nothingShown("owner", false, en.map).canAdd).toBe(true);
  expect(nothingShown("sub_account", false, en.map).canAdd).toBe(false);
  expect(words("sub_account", false)).toBe("Ask the owner of the account to assign some to you.");
  expect(words("owner", true)).toContain("ingest port");
  expect(words("owner", true)).not.toContain("owner");
  expect(words("sub_account", true)).toContain("ask the owner");
});

test("a page says that nobody is there a minute after it was touched last", () => {
  noteTouch(now);
  expect(attendanceHeader(now + 60_000)).toEqual({});
  expect(attendanceHeader(now + 60_001)).toEqual({ "X-Odograph-Unattended": "1" });
  noteTouch(now + 70_000);
  expect(attendanceHeader(now + 70_001)).toEqual({});
});
