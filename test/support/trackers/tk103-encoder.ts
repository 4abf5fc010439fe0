import { clockDigits, hemispheres, minutesText, pad, type TextReport, tenthsText } from "./text-report.ts";

/** What a TK103 sends, by the description of the protocol: km/h, metres in hexadecimal, eight digits of state. */
export interface Tk103Report extends TextReport {
  readonly id: string;
  /** Such as BR00, or BO012 for an alarm. */
  readonly kind: string;
  readonly metres: number;
}

/** Without marks between the fields; the date has the year first. */
export function tk103Text(report: Tk103Report): string {
  const { yearFirst, time } = clockDigits(report.at);
  const [ns, ew] = hemispheres(report);
  const place = `${minutesText(report.north, 2)}${ns}${minutesText(report.east, 3)}${ew}`;
  const motion = `${tenthsText(report.speedTenths, 5)}${time}${pad(report.heading, 3)}.00`;
  const state = `0${report.ignition ? 1 : 0}000000L${report.metres.toString(16).toUpperCase().padStart(8, "0")}`;
  return `(${report.id}${report.kind}${yearFirst}${report.isLocated ? "A" : "V"}${place}${motion}${state})`;
}

/** With commas; the date has the day first. */
export function tk103WithCommas(report: Tk103Report): string {
  const { dayFirst, time } = clockDigits(report.at);
  const [ns, ew] = hemispheres(report);
  const fields = [
    report.id,
    report.kind,
    dayFirst,
    report.isLocated ? "A" : "V",
    `${minutesText(report.north, 2)}${ns}`,
    `${minutesText(report.east, 3)}${ew}`,
    tenthsText(report.speedTenths, 5),
    time,
    `${report.heading}.00`,
  ];
  return `(${fields.join(",")})`;
}
