import type { Preferences } from "../../../domain/preferences.ts";
import { type Language, locales, type Texts } from "../texts/texts.ts";

/** A person's choices, with the usual where nothing is chosen. */
export type Units = { readonly [Name in Exclude<keyof Preferences, "language">]: NonNullable<Preferences[Name]> };

export const usualUnits: Units = { distance: "km", volume: "l", temperature: "c", clock: "24", week_start: "monday" };

/** The account's choice is above the usual, the person's own above the account's. */
export function unitsOf(own: Preferences, account: Preferences): Units {
  const chosen = Object.fromEntries(
    Object.entries(usualUnits).map(([name, usual]) => {
      const key = name as keyof Units;
      return [name, own[key] ?? account[key] ?? usual];
    }),
  );
  return chosen as Units;
}

export type Detail = "minute" | "second" | "date" | "day" | "dayOfMonth" | "time" | "clock";

const dateFormat = { day: "numeric", month: "short", year: "numeric" } as const;
const timeFormat = { hour: "2-digit", minute: "2-digit" } as const;

const details: Readonly<Record<Detail, Intl.DateTimeFormatOptions>> = {
  minute: { ...dateFormat, ...timeFormat },
  second: { ...dateFormat, ...timeFormat, second: "2-digit" },
  date: dateFormat,
  day: { weekday: "short", day: "numeric", month: "short" },
  dayOfMonth: { day: "numeric", month: "short" },
  time: timeFormat,
  clock: { ...timeFormat, second: "2-digit" },
};

const kmPerMile = 1.609344;
const litresPer = { l: 1, gal: 3.785411784, imp_gal: 4.54609 } as const;
const weekStarts = { sunday: 0, monday: 1, saturday: 6 } as const;

/** Figures and times as a person reads them: in their language, units and time zone. Pure. */
export class Show {
  readonly language: Language;
  readonly units: Units;
  readonly zone: string;
  readonly distanceUnit: "km" | "mi";
  readonly speedUnit: "km/h" | "mph";
  readonly volumeUnit: "l" | "gal";
  readonly temperatureUnit: "°C" | "°F";
  /** Gauges of tyres show psi where roads have miles. */
  readonly pressureUnit: "bar" | "psi";
  /** The first day of the week: 0 is Sunday. */
  readonly weekStart: 0 | 1 | 6;
  /** "Van 9" before "Van 10". One collator for all: `localeCompare` makes one for each comparison. */
  readonly compare: (one: string, other: string) => number;
  readonly #words: Texts["common"];
  /** Formatters are costly to make and needed in every row, so each is made once. */
  readonly #times = new Map<string, Intl.DateTimeFormat>();
  readonly #numbers = new Map<number, Intl.NumberFormat>();

  constructor(language: Language, texts: Pick<Texts, "common">, units: Units, zone: string) {
    this.language = language;
    this.units = units;
    this.zone = zone;
    this.#words = texts.common;
    this.distanceUnit = units.distance;
    this.speedUnit = units.distance === "km" ? "km/h" : "mph";
    this.volumeUnit = units.volume === "l" ? "l" : "gal";
    this.temperatureUnit = units.temperature === "c" ? "°C" : "°F";
    this.pressureUnit = units.distance === "km" ? "bar" : "psi";
    this.weekStart = weekStarts[units.week_start];
    this.compare = new Intl.Collator(locales[language], { numeric: true }).compare;
  }

  number(value: number, decimals = 0): string {
    let format = this.#numbers.get(decimals);
    if (!format) {
      format = new Intl.NumberFormat(locales[this.language], {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      });
      this.#numbers.set(decimals, format);
    }
    return format.format(value);
  }

  percent(value: number, decimals = 0): string {
    return `${this.number(value, decimals)} %`;
  }

  distanceIn(km: number): number {
    return this.distanceUnit === "km" ? km : km / kmPerMile;
  }

  distance(km: number): string {
    const value = this.distanceIn(km);
    return `${this.number(value, Math.abs(value) < 100 ? 1 : 0)} ${this.distanceUnit}`;
  }

  speedIn(kmh: number): number {
    return this.distanceIn(kmh);
  }

  speed(kmh: number): string {
    return `${this.number(this.speedIn(kmh))} ${this.speedUnit}`;
  }

  volumeIn(litres: number): number {
    return litres / litresPer[this.units.volume];
  }

  volume(litres: number): string {
    const value = this.volumeIn(litres);
    return `${this.number(value, Math.abs(value) < 100 ? 1 : 0)} ${this.volumeUnit}`;
  }

  temperatureIn(celsius: number): number {
    return this.units.temperature === "c" ? celsius : celsius * 1.8 + 32;
  }

  temperature(celsius: number): string {
    return `${this.number(this.temperatureIn(celsius), 1)} ${this.temperatureUnit}`;
  }

  pressureIn(kpa: number): number {
    return this.pressureUnit === "bar" ? kpa / 100 : kpa / 6.894757;
  }

  /** A figure of an alert or a rule, given in the API's unit. */
  figure(value: number, unit: string | null): string {
    switch (unit) {
      case "km/h":
        return this.speed(value);
      case "°C":
        return this.temperature(value);
      case "L":
        return this.volume(value);
      case "s":
        return this.duration(value);
      case "%":
        return this.percent(value, Number.isInteger(value) ? 0 : 1);
      case "kPa":
        return `${this.number(this.pressureIn(value), this.pressureUnit === "bar" ? 1 : 0)} ${this.pressureUnit}`;
      case "V":
        return `${this.number(value, 1)} V`;
      default:
        return `${this.number(value)} ${unit ?? ""}`.trimEnd();
    }
  }

  /** A short way: "600 m", "1.4 km"; "2,000 ft", "0.9 mi". */
  shortDistance(metres: number): string {
    if (this.distanceUnit === "km") {
      return metres < 1000 ? `${this.number(roundedTo(metres, 50))} m` : this.distance(metres / 1000);
    }
    const feet = metres / 0.3048;
    return feet < 2640 ? `${this.number(roundedTo(feet, 100))} ft` : this.distance(metres / 1000);
  }

  /** A way that is known roughly: "3 km", "2 mi". */
  wholeDistance(metres: number): string {
    return `${this.number(Math.max(1, Math.round(this.distanceIn(metres / 1000))))} ${this.distanceUnit}`;
  }

  duration(seconds: number): string {
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return this.#words.minutes(this.number(minutes));
    return this.#words.hoursAndMinutes(this.number(Math.floor(minutes / 60)), String(minutes % 60).padStart(2, "0"));
  }

  /** How long ago, in one unit: what matters is whether it is seconds or days. */
  age(ms: number): string {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60) return this.#words.justNow;
    if (seconds < 3600) return this.#words.minutesAgo(this.number(Math.floor(seconds / 60)));
    if (seconds < 172_800) return this.#words.hoursAgo(this.number(Math.floor(seconds / 3600)));
    return this.#words.daysAgo(this.number(Math.floor(seconds / 86_400)));
  }

  compassPoint(degrees: number): string {
    return this.#words.compass[Math.round(degrees / 45) % 8] ?? "";
  }

  time(at: number, detail: Detail, zone = this.zone): string {
    const name = `${detail} ${zone}`;
    let format = this.#times.get(name);
    if (!format) {
      const hourCycle = this.units.clock === "12" ? "h12" : "h23";
      format = new Intl.DateTimeFormat(locales[this.language], { ...details[detail], hourCycle, timeZone: zone });
      this.#times.set(name, format);
    }
    return format.format(at);
  }

  /** Of the day of the week that this day since 1970 is. Without the full stop that some languages end it with. */
  weekday(day: number, length: "short" | "long"): string {
    const format = new Intl.DateTimeFormat(locales[this.language], { weekday: length, timeZone: "UTC" });
    return format.format(day * 86_400_000).replace(/\.$/, "");
  }

  /** A day of the calendar, whatever the time zone. */
  day(day: string, detail: "date" | "day" = "date"): string {
    return this.time(Date.parse(`${day}T00:00:00Z`), detail, "UTC");
  }
}

function roundedTo(value: number, step: number): number {
  return value < step ? Math.round(value) : Math.round(value / step) * step;
}
