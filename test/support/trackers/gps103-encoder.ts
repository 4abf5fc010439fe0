import { clockDigits, hemispheres, minutesText, type TextReport, tenthsText, textSample } from "./text-report.ts";

/** What a Coban tracker sends, by its maker's description: the date in local time, the time of day also in UTC, knots. */
export interface Gps103Report extends TextReport {
  readonly imei: string;
  readonly word: string;
  readonly zoneMinutes: number;
  readonly doorIsOpen: boolean;
}

export function gps103Text(report: Gps103Report): string {
  const local = localDigits(report.at, report.zoneMinutes);
  const [ns, ew] = hemispheres(report);
  const fields = [
    `imei:${report.imei}`,
    report.word,
    local,
    "",
    "F",
    `${clockDigits(report.at).time}.000`,
    report.isLocated ? "A" : "V",
    minutesText(report.north, 2),
    ns,
    minutesText(report.east, 3),
    ew,
    tenthsText(report.speedTenths, 1),
    String(report.heading),
    "",
    report.ignition ? "1" : "0",
    report.doorIsOpen ? "1" : "0",
    "0.00%",
    "",
    "",
  ];
  return `${fields.join(",")};`;
}

/** Without GPS: the local time, and the cell tower. */
export function gps103WithoutGps({ imei, word, at, zoneMinutes }: Gps103Report): string {
  return `imei:${imei},${word},${localDigits(at, zoneMinutes)},,L,,,113b,,558f,,,;`;
}

function localDigits(at: number, zoneMinutes: number): string {
  const { yearFirst, time } = clockDigits(at + zoneMinutes * 60_000);
  return `${yearFirst}${time}`;
}

export const gps103Sample: Gps103Report = {
  ...textSample,
  imei: "359710049092324",
  word: "tracker",
  zoneMinutes: 180,
  doorIsOpen: false,
};
