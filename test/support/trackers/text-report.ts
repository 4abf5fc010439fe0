import fc from "fast-check";

/** What a tracker with a text protocol has to say. */
export interface TextReport {
  /** In ms since 1970, on a whole second. */
  readonly at: number;
  readonly isLocated: boolean;
  /** In ten-thousandths of a minute: what four digits behind the point can say. North and east are positive. */
  readonly north: number;
  readonly east: number;
  /** In tenths of the unit that the protocol has. */
  readonly speedTenths: number;
  readonly heading: number;
  readonly ignition: boolean;
}

/** Of half a minute before the tests receive it. */
export const textSample: TextReport = {
  at: Date.UTC(2026, 10, 17, 11, 59, 30),
  isLocated: true,
  north: 31_401_234,
  east: -8_045_678,
  speedTenths: 215,
  heading: 312,
  ignition: true,
};

const unitsPerDegree = 600_000;

export const anyTextReport: fc.Arbitrary<TextReport> = fc.record({
  at: fc
    .integer({ min: Date.UTC(2001, 0, 1) / 1000, max: Date.UTC(2099, 11, 31) / 1000 })
    .map((second) => second * 1000),
  isLocated: fc.boolean(),
  north: fc.integer({ min: -90 * unitsPerDegree, max: 90 * unitsPerDegree }),
  east: fc.integer({ min: -180 * unitsPerDegree, max: 180 * unitsPerDegree }),
  speedTenths: fc.integer({ min: 0, max: 9_989 }),
  heading: fc.integer({ min: 0, max: 359 }),
  ignition: fc.boolean(),
});

/** In degrees, as frames have it. */
export function degreesOf(units: number): number {
  return units / unitsPerDegree;
}

/** Degrees and minutes: `5233.5412`. */
export function minutesText(units: number, degreeDigits: number): string {
  const size = Math.abs(units);
  const minutes = size % unitsPerDegree;
  const degrees = pad(Math.floor(size / unitsPerDegree), degreeDigits);
  return `${degrees}${pad(Math.floor(minutes / 10_000), 2)}.${pad(minutes % 10_000, 4)}`;
}

export function hemispheres({ north, east }: Pick<TextReport, "north" | "east">): readonly [string, string] {
  return [north < 0 ? "S" : "N", east < 0 ? "W" : "E"];
}

/** Two digits each, of the UTC time. */
export function clockDigits(at: number) {
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = new Date(at)
    .toISOString()
    .slice(2, 19)
    .split(/\D/);
  return { dayFirst: `${day}${month}${year}`, yearFirst: `${year}${month}${day}`, time: `${hour}${minute}${second}` };
}

export function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** `0046.0`: so many characters, with tenths. */
export function tenthsText(tenths: number, length: number): string {
  return (tenths / 10).toFixed(1).padStart(length, "0");
}
