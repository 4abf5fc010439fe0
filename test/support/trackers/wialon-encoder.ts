import { hemispheres, minutesText, type TextReport } from "./text-report.ts";

/** Writes packets as Gurtam's description of Wialon IPS 2.0 has them. */
export interface WialonReport extends TextReport {
  readonly satellites: number;
  readonly params: string;
}

export function wialonLogin(id: string, version: 1 | 2): string {
  return version === 1 ? `#L#${id};NA\r\n` : summed("L", `2.0;${id};NA;`);
}

export function wialonData(report: WialonReport, version: 1 | 2): string {
  const record = longRecord(report);
  return version === 1 ? `#D#${record}\r\n` : summed("D", `${record};`);
}

export function wialonBlackBox(reports: readonly WialonReport[], version: 1 | 2): string {
  const records = reports.map(longRecord).join("|");
  return version === 1 ? `#B#${records}\r\n` : summed("B", `${records}|`);
}

function longRecord({ at, isLocated, north, east, speedTenths, heading, satellites, params }: WialonReport): string {
  const [date = "", time = ""] = new Date(at).toISOString().slice(0, 19).split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  const [northSouth, eastWest] = hemispheres({ north, east });
  const place = isLocated
    ? [minutesText(north, 2), northSouth, minutesText(east, 3), eastWest]
    : ["NA", "NA", "NA", "NA"];
  const motion = [(speedTenths / 10).toFixed(1), heading, 34, satellites];
  return [
    `${day}${month}${year.slice(2)}`,
    time.replaceAll(":", ""),
    ...place,
    ...(isLocated ? motion : ["NA", "NA", "NA", satellites]),
    ...["0.9", "NA", "NA", "", "NA", params === "" ? "NA" : params],
  ].join(";");
}

function summed(type: string, body: string): string {
  return `#${type}#${body}${crc(body).toString(16).toUpperCase()}\r\n`;
}

/** Bit by bit. */
function crc(text: string): number {
  let register = 0;
  for (const byte of Buffer.from(text, "latin1")) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ 0xa001 : register >> 1;
  }
  return register;
}
