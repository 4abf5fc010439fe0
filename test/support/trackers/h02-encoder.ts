import { clockDigits, hemispheres, minutesText, pad, type TextReport, tenthsText, textSample } from "./text-report.ts";

/** What an H02 tracker sends, by the description of the protocol: knots, and a status in which a 0 is an alarm. */
export interface H02Report extends TextReport {
  readonly maker: string;
  readonly id: string;
  /** Bits of the status that are 0, beside the one for ignition. */
  readonly alarmBits: readonly number[];
}

const ignitionBit = 10;

function h02Status({ ignition, alarmBits }: Pick<H02Report, "ignition" | "alarmBits">): string {
  let status = 0xffff_ffffn;
  for (const bit of ignition ? alarmBits : [...alarmBits, ignitionBit]) status &= ~(1n << BigInt(bit));
  return status.toString(16).toUpperCase().padStart(8, "0");
}

/** The general message V1, or another with the same fields. */
export function h02Text(report: H02Report, kind = "V1"): string {
  const { dayFirst, time } = clockDigits(report.at);
  const [ns, ew] = hemispheres(report);
  return `*${[
    report.maker,
    report.id,
    kind,
    time,
    report.isLocated ? "A" : "V",
    minutesText(report.north, 2),
    ns,
    minutesText(report.east, 3),
    ew,
    tenthsText(report.speedTenths, 5),
    pad(report.heading, 3),
    dayFirst,
    h02Status(report),
  ].join(",")}#`;
}

/** Binary-coded decimals; whole knots. The number has 10 digits, or 15 and a filler. */
export function h02Binary(report: H02Report, more = "ff0024"): Uint8Array {
  const { dayFirst, time } = clockDigits(report.at);
  const flags = (report.isLocated ? 2 : 0) + (report.north < 0 ? 0 : 4) + (report.east < 0 ? 0 : 8);
  const digits = [
    "24",
    report.id.length === 15 ? `${report.id}0` : report.id,
    time,
    dayFirst,
    minutesText(report.north, 2).replace(".", ""),
    "06",
    minutesText(report.east, 3).replace(".", ""),
    flags.toString(16),
    pad(Math.floor(report.speedTenths / 10), 3),
    pad(report.heading, 3),
    h02Status(report),
    more,
  ];
  return Uint8Array.fromHex(digits.join(""));
}

export const h02Sample: H02Report = {
  ...textSample,
  maker: "HQ",
  id: "4210051415",
  alarmBits: [],
};
