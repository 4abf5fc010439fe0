import { describe, expect, test } from "bun:test";
import { dayMs } from "../../src/domain/time/time.ts";
import { utc, type Zone, zoneNamed } from "../../src/domain/time/time-zone.ts";
import { announcedSeed } from "../support/ingest-seed.ts";
import { randomNumbers } from "../support/random-drive.ts";

const seed = announcedSeed("time zones");
const names = Intl.supportedValuesOf("timeZone");
const hourMs = 3_600_000;

function zoneOf(name: string): Zone {
  const zone = zoneNamed(name);
  if (zone === null) throw new Error(`there is no zone ${name}`);
  return zone;
}

const dayNumber = (date: string) => Date.parse(date) / dayMs;
const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const startOf = (name: string, date: string) => new Date(zoneOf(name).startOf(dayNumber(date))).toISOString();
const hoursOf = (name: string, date: string) => {
  const day = dayNumber(date);
  return (zoneOf(name).startOf(day + 1) - zoneOf(name).startOf(day)) / hourMs;
};

/** The runtime's own calendar, one question at a time. Type definitions do not have it yet. */
interface OwnCalendar {
  PlainDate: {
    from(date: string): { toZonedDateTime(zone: string): { readonly epochMilliseconds: number } };
  };
}
const { Temporal } = globalThis as unknown as { Temporal: OwnCalendar };

/** The date that a clock on the wall shows. */
function shownDate(name: string, at: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: name, dateStyle: "short" }).format(at);
}

describe("a zone's name", () => {
  test("is an IANA name in any case, also an old one, and stays the one that was given", () => {
    expect(zoneNamed("europe/BERLIN")?.name).toBe("Europe/Berlin");
    expect(zoneNamed("Asia/Kolkata")?.name).toBe("Asia/Kolkata");
    expect(zoneNamed("Asia/Calcutta")?.name).toBe("Asia/Calcutta");
    expect(zoneNamed("Europe/Kyiv")?.name).toBe("Europe/Kyiv");
    expect(zoneNamed("Etc/GMT-2")?.name).toBe("Etc/GMT-2");
    expect(zoneNamed("utc")).toBe(utc);
    expect(zoneNamed("Europe/Berlin")).toBe(zoneOf("europe/berlin"));
  });

  test("is no offset, and none that does not exist", () => {
    for (const name of ["+02:00", "-0300", "+02", "UTC+2", "Europe/Berlim", "Berlin", "", " UTC"]) {
      expect([name, zoneNamed(name)]).toEqual([name, null]);
    }
  });
});

describe("a day of a zone", () => {
  test("has 23 hours when the clocks are put forward and 25 when they are put back", () => {
    expect(startOf("Europe/Berlin", "2026-03-29")).toBe("2026-03-28T23:00:00.000Z");
    expect(startOf("Europe/Berlin", "2026-03-30")).toBe("2026-03-29T22:00:00.000Z");
    expect(hoursOf("Europe/Berlin", "2026-03-29")).toBe(23);
    expect(hoursOf("Europe/Berlin", "2026-10-25")).toBe(25);
    expect(hoursOf("America/New_York", "2026-03-08")).toBe(23);
    expect(hoursOf("America/New_York", "2026-11-01")).toBe(25);
    expect(hoursOf("Australia/Lord_Howe", "2026-04-05")).toBe(24.5);
    expect(hoursOf("Africa/Nairobi", "2026-03-29")).toBe(24);
  });

  test("begins at 01:00 where the clocks are put forward at midnight", () => {
    expect(startOf("America/Sao_Paulo", "2018-11-04")).toBe("2018-11-04T03:00:00.000Z");
    expect(hoursOf("America/Sao_Paulo", "2018-11-04")).toBe(23);
    expect(startOf("Asia/Beirut", "2026-03-29")).toBe("2026-03-28T22:00:00.000Z");
    expect(hoursOf("Asia/Beirut", "2026-03-29")).toBe(23);
    // Put back at midnight: the hour before it is there twice.
    expect(hoursOf("America/Sao_Paulo", "2018-02-17")).toBe(25);
  });

  test("may be at an offset of half an hour, three quarters of one, or seconds", () => {
    expect(startOf("Asia/Kolkata", "2026-01-01")).toBe("2025-12-31T18:30:00.000Z");
    expect(startOf("Asia/Kathmandu", "2026-01-01")).toBe("2025-12-31T18:15:00.000Z");
    expect(startOf("Africa/Monrovia", "1971-01-01")).toBe("1971-01-01T00:44:30.000Z");
    expect(startOf("Europe/Berlin", "1890-01-01")).toBe("1889-12-31T23:06:32.000Z");
    expect(startOf("Europe/Berlin", "0001-01-01")).toBe("0000-12-31T23:06:32.000Z");
    expect(startOf("Pacific/Kiritimati", "2026-01-01")).toBe("2025-12-31T10:00:00.000Z");
    expect(startOf("Etc/GMT+12", "2026-01-01")).toBe("2026-01-01T12:00:00.000Z");
  });

  test("that was left out at the date line starts with the next one, and no moment is of it", () => {
    for (const [name, date] of [
      ["Pacific/Apia", "2011-12-30"],
      ["Pacific/Fakaofo", "2011-12-30"],
      ["Pacific/Kwajalein", "1993-08-21"],
    ] as const) {
      const day = dayNumber(date);
      const zone = zoneOf(name);
      expect(zone.startOf(day)).toBe(zone.startOf(day + 1));
      expect(zone.dayOf(zone.startOf(day))).toBe(day + 1);
      expect(zone.dayOf(zone.startOf(day) - 1)).toBe(day - 1);
    }
  });

  test("goes on where clocks are put back over its beginning", () => {
    // One minute past midnight they were set to one minute past eleven.
    const zone = zoneOf("America/St_Johns");
    const start = Date.parse("2010-11-07T02:30:00Z");
    expect(shownDate(zone.name, start)).toBe("2010-11-07");
    expect(shownDate(zone.name, start + hourMs / 2)).toBe("2010-11-06");
    expect(zone.startOf(dayNumber("2010-11-07"))).toBe(start);
    expect(zone.dayOf(start + hourMs / 2)).toBe(dayNumber("2010-11-07"));
  });

  test("does not depend on the machine's own zone", () => {
    const before = process.env.TZ;
    try {
      for (const own of ["Pacific/Auckland", "America/Los_Angeles"]) {
        process.env.TZ = own;
        // Not asked for before, so that nothing is remembered.
        const year = own === "Pacific/Auckland" ? 2031 : 2032;
        const day = Date.UTC(year, 5, 1) / dayMs;
        expect(zoneOf("Europe/Berlin").startOf(day)).toBe(day * dayMs - 2 * hourMs);
      }
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });
});

/** Mostly times that frames have, but also any other. */
function randomTime(random: () => number): number {
  const [from, until] =
    random() < 0.7 ? [Date.UTC(2010, 0), Date.UTC(2040, 0)] : [Date.UTC(1800, 0), Date.UTC(2500, 0)];
  return Math.floor(from + random() * (until - from));
}

test("property: a moment is of the day that has started and not ended, and days do not fall", () => {
  const random = randomNumbers(seed);
  for (const name of names) {
    const zone = zoneOf(name);
    for (let count = 0; count < 4; count++) {
      const at = randomTime(random);
      const day = zone.dayOf(at);
      const start = zone.startOf(day);
      const end = zone.startOf(day + 1);
      expect([name, at, start <= at && at < end]).toEqual([name, at, true]);
      for (const moment of [start, end - 1]) expect([name, moment, zone.dayOf(moment)]).toEqual([name, moment, day]);
      expect([name, at, zone.dayOf(end) > day && zone.dayOf(start - 1) < day]).toEqual([name, at, true]);
    }
  }
});

test("property: it starts when the runtime's calendar says, and its date is the one that clocks show", () => {
  const random = randomNumbers(seed + 1);
  for (const name of names) {
    const zone = zoneOf(name);
    for (let count = 0; count < 4; count++) {
      const at = randomTime(random);
      const day = zone.dayOf(at);
      const started = Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(name).epochMilliseconds;
      expect([name, dateOf(day), zone.startOf(day)]).toEqual([name, dateOf(day), started]);
      // After a date that is shown for a second time, clocks may show the one before.
      if (shownDate(name, at) !== dateOf(day)) expect(zone.startOf(day + 1) - zone.startOf(day)).toBeGreaterThan(dayMs);
    }
  }
});

test("property: days around every change of the clocks of this century start when the runtime's calendar says", () => {
  const random = randomNumbers(seed + 2);
  for (const name of names) {
    const zone = zoneOf(name);
    const first = Date.UTC(2000 + Math.floor(random() * 60), 0, 1) / dayMs;
    for (let day = first; day < first + 366; day++) {
      const hours = (zone.startOf(day + 1) - zone.startOf(day)) / hourMs;
      if (hours === 24 && day % 20 !== 0) continue;
      const started = [day, day + 1].map(
        (each) => Temporal.PlainDate.from(dateOf(each)).toZonedDateTime(name).epochMilliseconds,
      );
      expect([name, dateOf(day), zone.startOf(day), zone.startOf(day + 1)]).toEqual([name, dateOf(day), ...started]);
    }
  }
});
