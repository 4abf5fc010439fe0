import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { noPreferences } from "../../src/domain/preferences.ts";
import {
  clockAt,
  dayAt,
  daysBetween,
  daysWindow,
  dayWindow,
  isDay,
  momentOfClock,
  shiftDay,
} from "../../src/portal/both-sides/periods/days.ts";
import { periodOf, unknownPeriod } from "../../src/portal/both-sides/periods/period.ts";
import { sensorName } from "../../src/portal/both-sides/reading/sensor-name.ts";
import { Show, unitsOf, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { type Language, languageOf, type Texts } from "../../src/portal/both-sides/texts/texts.ts";
import { devicesWith } from "../../src/portal/both-sides/vehicles/devices.ts";
import { changed } from "../../src/portal/page/common/navigation/changed-query.ts";
import { zoneOptions } from "../../src/portal/page/common/reading/zones.ts";
import { forAll } from "../support/for-all.ts";

const all: Readonly<Record<Language, Texts>> = { en, es, pt, de };
const noon = Date.UTC(2026, 6, 14, 12, 5, 9);
const hour = 3_600_000;

function show(language: Language = "en", units = {}, zone = "Europe/Berlin") {
  return new Show(language, all[language], { ...usualUnits, ...units }, zone);
}

describe("figures", () => {
  test("are metric unless a person chose otherwise", () => {
    const shown = show();
    expect(shown.distance(12.34)).toBe("12.3 km");
    expect(shown.distance(1234.5)).toBe("1,235 km");
    expect(shown.speed(87.6)).toBe("88 km/h");
    expect(shown.volume(40)).toBe("40.0 l");
    expect(shown.temperature(-4)).toBe("-4.0 °C");
  });

  test("are in miles, gallons and Fahrenheit for those who want it", () => {
    const shown = show("en", { distance: "mi", volume: "gal", temperature: "f" });
    expect(shown.distance(100)).toBe("62.1 mi");
    expect(shown.speed(100)).toBe("62 mph");
    expect(shown.volume(37.85411784)).toBe("10.0 gal");
    expect(shown.temperature(100)).toBe("212.0 °F");
    expect(shown.shortDistance(100)).toBe("300 ft");
    expect(show("en", { volume: "imp_gal" }).volume(45.4609)).toBe("10.0 gal");
  });

  test("are written as the language writes them", () => {
    expect(show("de").distance(1234.5)).toBe("1.235 km");
    expect(show("pt").number(1234.5, 1)).toBe("1.234,5");
    expect(show("es").distance(12.34)).toBe("12,3 km");
  });

  test("a short way is rounded as people say it", () => {
    expect([12, 612, 960, 1400].map((metres) => show().shortDistance(metres))).toEqual([
      "12 m",
      "600 m",
      "950 m",
      "1.4 km",
    ]);
  });

  test("durations and ages", () => {
    expect([59, 3599, 3660].map((seconds) => show().duration(seconds))).toEqual(["1 min", "1 h 00 min", "1 h 01 min"]);
    expect([0, 5 * 60_000, 5 * hour, 72 * hour].map((ms) => show("de").age(ms))).toEqual([
      "gerade eben",
      "vor 5 min",
      "vor 5 h",
      "vor 3 Tagen",
    ]);
  });
});

describe("times", () => {
  test("are those of the account's zone, with 24 or 12 hours", () => {
    expect(show().time(noon, "minute")).toBe("14 Jul 2026, 14:05");
    expect(show("en", {}, "UTC").time(noon, "clock")).toBe("12:05:09");
    expect(show("en", { clock: "12" }).time(noon, "time")).toBe("02:05 pm");
    expect(show("de").time(noon, "day")).toBe("Di., 14. Juli");
    expect(show().day("2026-07-14")).toBe("14 Jul 2026");
  });

  test("midnight is 00:00, never 24:00", () => {
    for (const language of Object.keys(all) as Language[]) {
      expect(show(language, {}, "UTC").time(Date.UTC(2026, 0, 1), "time")).toBe("00:00");
    }
  });
});

test("a person's choice is above the account's, and that above the usual", () => {
  const account = { ...noPreferences, distance: "mi", clock: "12" } as const;
  const own = { ...noPreferences, distance: "km" } as const;
  expect(unitsOf(own, account)).toEqual({ ...usualUnits, distance: "km", clock: "12" });
  expect(unitsOf(noPreferences, account)).toEqual({ ...usualUnits, distance: "mi", clock: "12" });
});

test("the language is the first of the browser's that the portal speaks", () => {
  expect(languageOf(["fr-FR", "pt-PT", "en"])).toBe("pt");
  expect(languageOf(["DE-at"])).toBe("de");
  expect(languageOf([])).toBe("en");
});

describe("every language", () => {
  const figures = { value: "7", limit: "word1", name: "word2" };
  /** All texts by the way to them; functions are called with words that must appear. */
  function said(texts: unknown, path = ""): [string, string][] {
    if (texts === null) return [];
    if (typeof texts === "string") return [[path, texts]];
    if (path.startsWith("/alerts/sentences/")) return [[path, String((texts as (found: object) => string)(figures))]];
    if (typeof texts === "function") {
      const words = Array.from({ length: texts.length }, (_, index) => (index === 0 ? "7" : `word${index}`));
      return [[path, String(texts(...words))]];
    }
    return Object.entries(texts as object).flatMap(([name, value]) => said(value, `${path}/${name}`));
  }
  const english = new Map(said(en));

  test.each(["es", "pt", "de"] as const)("%s has a text for each", (language) => {
    const own = new Map(said(all[language]));
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...own].filter(([, text]) => text.trim() === "").map(([path]) => path)).toEqual([]);
    // What English says about a figure or a name, the others say, too.
    const isLost = (path: string, text: string, word: string) => text.includes(word) && !own.get(path)?.includes(word);
    const lost = [...english].filter(
      ([path, text]) => ["word1", "word2"].some((word) => isLost(path, text, word)) || /undefined|null/.test(text),
    );
    expect(lost).toEqual([]);
  });
});

describe("days", () => {
  test("are those of a zone, 23 or 25 hours long when the clocks change", () => {
    const hours = ({ from, to }: { from: number; to: number }) => (to - from) / hour;
    expect(hours(dayWindow("2026-03-29", "Europe/Berlin"))).toBe(23);
    expect(hours(dayWindow("2026-10-25", "Europe/Berlin"))).toBe(25);
    expect(hours(daysWindow("2026-03-28", "2026-03-30", "Europe/Berlin"))).toBe(71);
    expect(dayAt(Date.UTC(2026, 6, 14, 22, 30), "Europe/Berlin")).toBe("2026-07-15");
  });

  test("are known from what is none", () => {
    expect(["2026-02-28", "2028-02-29"].map(isDay)).toEqual([true, true]);
    expect(["2026-02-29", "2026-13-01", "yesterday", "", "2026-1-1", "9999-99-99"].some(isDay)).toBe(false);
    expect(shiftDay("2026-03-01", -1)).toBe("2026-02-28");
    expect(daysBetween("2026-02-27", "2026-03-01")).toBe(3);
  });
});

describe("a period", () => {
  // Half past midnight in Berlin, still the day before in UTC.
  const now = Date.UTC(2026, 6, 14, 22, 30);
  const usual = { name: "yesterday", maxDays: 31, zone: "Europe/Berlin", weekStart: 1 } as const;
  const of = (asked: Partial<Record<"period" | "from" | "to", string>>) =>
    periodOf({ period: null, from: null, to: null, ...asked }, usual, now);

  test("is yesterday, today, the last 7 days or the chosen ones", () => {
    expect(of({})).toEqual({ name: "yesterday", from: "2026-07-14", to: "2026-07-14" });
    expect(of({ period: "today" })).toEqual({ name: "today", from: "2026-07-15", to: "2026-07-15" });
    expect(of({ period: "week" })).toEqual({ name: "week", from: "2026-07-08", to: "2026-07-14" });
    expect(of({ from: "2026-06-01", to: "2026-07-01" })).toEqual({
      name: "days",
      from: "2026-06-01",
      to: "2026-07-01",
    });
  });

  test("is the last whole week, which begins on the chosen day", () => {
    const week = (weekStart: 0 | 1 | 6) =>
      periodOf({ period: "last-week", from: null, to: null }, { ...usual, weekStart }, now);
    // The 15th of July is a Wednesday.
    expect(week(1)).toEqual({ name: "last-week", from: "2026-07-06", to: "2026-07-12" });
    expect(week(0)).toEqual({ name: "last-week", from: "2026-07-05", to: "2026-07-11" });
    expect(week(6)).toEqual({ name: "last-week", from: "2026-07-04", to: "2026-07-10" });
  });

  test("is this month up to today, or the last whole one", () => {
    expect(of({ period: "month" })).toEqual({ name: "month", from: "2026-07-01", to: "2026-07-15" });
    expect(of({ period: "last-month" })).toEqual({ name: "last-month", from: "2026-06-01", to: "2026-06-30" });
    const march = Date.parse("2028-03-01T12:00:00Z");
    const leap = periodOf({ period: "last-month", from: null, to: null }, usual, march);
    expect(leap).toEqual({ name: "last-month", from: "2028-02-01", to: "2028-02-29" });
  });

  test("is the usual one if the address makes no sense", () => {
    for (const asked of [
      { period: "ever" },
      { from: "2026-06-01" },
      { from: "2026-06-02", to: "2026-06-01" },
      { from: "2026-01-01", to: "2026-07-01" },
      { from: "x", to: "y" },
    ]) {
      expect(of(asked).name).toBe("yesterday");
    }
  });
});

test("an address changes only what was changed", () => {
  const present = new URLSearchParams("period=week&tag=a&tag=b&sort=name");
  expect(changed(present, { tag: ["b"], sort: null, from: "x" }).toString()).toBe("period=week&tag=b&from=x");
});

test("filters leave the vehicles with one of the tags, and of the chosen ones", () => {
  const device = (device_id: string, ...tags: string[]) => [device_id, { device_id, tags }] as never;
  const devices = new Map<string, never>([device("1", "a"), device("2", "a", "b"), device("3")]);
  const ids = (tags: string[], vehicles: string[]) => [...devicesWith(devices, tags, vehicles)];
  expect(ids([], [])).toEqual(["1", "2", "3"]);
  expect(ids(["a"], [])).toEqual(["1", "2"]);
  expect(ids(["b", "c"], [])).toEqual(["2"]);
  expect(ids(["a"], ["2", "3"])).toEqual(["2"]);
});

test("a time of a clock is found on any day, also on one whose clocks change", () => {
  const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];
  forAll(
    300,
    [fc.constantFrom(...zones), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 1439 })],
    (zone, day, minute) => {
      const window = dayWindow(shiftDay("2024-01-01", day), zone);
      const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
      const at = momentOfClock(window, clock, zone);
      // A time that clocks leave out has the moment before or after the gap.
      const isShown = clockAt(at, zone) === clock;
      const isChangeDay = window.to - window.from !== 86_400_000;
      expect(isShown || isChangeDay).toBe(true);
      if (isShown && !isChangeDay) expect(at >= window.from && at < window.to).toBe(true);
    },
  );
  expect(clockAt(momentOfClock(dayWindow("2026-03-29", "Europe/Berlin"), "14:00", "Europe/Berlin"), "UTC")).toBe(
    "12:00",
  );
  expect(clockAt(momentOfClock(dayWindow("2026-10-25", "Europe/Berlin"), "14:00", "Europe/Berlin"), "UTC")).toBe(
    "13:00",
  );
});

test("zones are listed by their present names, and one that was chosen by an older name is still chosen", () => {
  const names = zoneOptions("Asia/Calcutta");
  expect(names.filter(([, text]) => /Kolkata|Calcutta|Kiev|Kyiv/.test(text))).toEqual([
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["Europe/Kyiv", "Europe/Kyiv"],
  ]);
});

test("pressure is in bar, or in psi where roads have miles", () => {
  expect(show().figure(352, "kPa")).toBe("3.5 bar");
  expect(show("en", { distance: "mi" }).figure(352, "kPa")).toBe("51 psi");
});

test("sensors that trackers number have names, others keep theirs", () => {
  const names = ["tank_1", "axle_2_wheel_1", "cargo_rear", "cargo", "Kühler_1"];
  expect(names.map((name) => sensorName(name, en.alerts))).toEqual([
    "Tank 1",
    "Axle 2, wheel 1",
    "cargo rear",
    "cargo",
    "Kühler_1",
  ]);
});

test("a period that no address knows is said, and one that it knows is not", () => {
  const asked = (query: Partial<Parameters<typeof unknownPeriod>[0]>) =>
    unknownPeriod({ period: null, from: null, to: null, ...query }, 31);
  expect([asked({}), asked({ period: "today" }), asked({ from: "2026-03-01", to: "2026-03-31" })]).toEqual([
    null,
    null,
    null,
  ]);
  expect(asked({ period: "fortnight" })).toBe("fortnight");
  expect(asked({ from: "2026-03-02", to: "2026-03-01" })).toBe("2026-03-02 – 2026-03-01");
  expect(asked({ from: "2026-03-01", to: "2026-04-01" })).toBe("2026-03-01 – 2026-04-01");
  expect([asked({ from: "soon", to: "2026-04-01" }), asked({ to: "2026-04-01" })]).toEqual([
    "soon – 2026-04-01",
    "2026-04-01",
  ]);
});
