/**
 * Writes reports as published: text and zip by pages of the operation manuals of ST300/ST340 (revision 1.41) and ST310U (1.08); the
 * universal protocol by published messages and other gateways, since of its reporting guide only the table of contents was at hand.
 */

export interface SentReport {
  readonly kind: string;
  readonly id: string;
  /** In ms, UTC, on a whole second. */
  readonly at: number;
  readonly hasFix: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly courseDeg: number;
  readonly satellites: number;
  readonly ignition: boolean;
}

export interface LegacyReport extends SentReport {
  readonly series: "SA200" | "ST300" | "ST500" | "ST600";
  readonly metres: number;
  readonly volts: number;
  /** What the kind has behind the inputs: mode and count, or a number. */
  readonly own: readonly string[];
  readonly tail?: readonly string[];
}

const cells = { SA200: ["16d41"], ST300: ["c99e48"], ST500: [], ST600: ["0032cc3e", "736", "3", "445c", "41"] };

export function legacyReport(report: LegacyReport): Uint8Array {
  const { series, kind, id, latitude, longitude, metres, volts, own, tail = [] } = report;
  const model = series === "SA200" ? [] : ["02"];
  return line([
    ...[`${series}${kind}`, id, ...model, "010", ...clockColumns(report.at), ...cells[series]],
    ...[signed(latitude, 9), signed(longitude, 10), report.speedKmh.toFixed(3).padStart(7, "0")],
    ...[report.courseDeg.toFixed(2).padStart(6, "0"), String(report.satellites), flag(report.hasFix)],
    ...[String(metres), volts.toFixed(2), `${flag(report.ignition)}01000`, ...own, ...tail],
  ]);
}

/** With all columns of the map up to the count, and what the owner assigned behind. */
export function universalReport(
  report: SentReport & { readonly own: readonly string[] },
  assigned: Assigned,
): Uint8Array {
  const map = assigned.map === null ? "3FFFFF" : "BFFFFF";
  return line([
    ...[
      report.kind,
      report.id,
      map,
      "56",
      "1.0.15",
      "1",
      ...clockColumns(report.at),
      "00008D6C",
      "334",
      "20",
      "0925",
      "24",
    ],
    ...[
      signed(report.latitude, 0),
      signed(report.longitude, 0),
      report.speedKmh.toFixed(2),
      report.courseDeg.toFixed(2),
    ],
    ...[String(report.satellites), flag(report.hasFix), `0000010${flag(report.ignition)}`, "00001000", ...report.own],
    ...(assigned.map === null ? [] : [assigned.map]),
    ...assigned.columns,
  ]);
}

export interface Assigned {
  readonly map: string | null;
  readonly columns: readonly string[];
}

/** STX, length, header, and the columns of the text in bytes; decimal digits are binary-coded. */
export function zipReport(
  report: SentReport & { metres: number; volts: number; header: number; code: number },
): Uint8Array {
  const degrees = (value: number) => [Math.floor(Math.abs(value)), ...digitBytes(value.toFixed(6).split(".")[1] ?? "")];
  const twoBytes = (value: number) => [
    ...be(Math.floor(value), 2),
    ...digitBytes(value.toFixed(2).split(".")[1] ?? ""),
  ];
  const flags = Number(report.hasFix) * 128 + Number(report.latitude < 0) * 64 + Number(report.longitude < 0) * 32;
  const body = [
    ...[report.header, ...digitBytes(`${report.id}0`), 40, 0x01, 0x3f, ...clockBytes(report.at), 0x10, 0x51, 41],
    ...[
      ...degrees(report.latitude),
      ...degrees(report.longitude),
      ...twoBytes(report.speedKmh),
      ...twoBytes(report.courseDeg),
    ],
    ...[
      flags + report.satellites,
      ...be(report.metres, 4),
      ...twoBytes(report.volts).slice(1),
      Number(report.ignition) + 4,
    ],
    ...[report.code, 0, 0x75],
  ];
  return Uint8Array.from([2, ...be(body.length, 2), ...body, 3]);
}

export function universalBinary(report: SentReport & { header: number; own: readonly number[] }): Uint8Array {
  const micro = (value: number) => be(Math.round(Math.abs(value) * 1e6) + (value < 0 ? 2 ** 31 : 0), 4);
  const body = [
    ...[...digitBytes(report.id), 0x3f, 0xff, 0xff, 56, 1, 0, 15, 1, ...clockBytes(report.at)],
    ...[0, 0, 0x8d, 0x6c, 1, 0x4e, 0, 20, 9, 0x25, 24, ...micro(report.latitude), ...micro(report.longitude)],
    ...[...be(Math.round(report.speedKmh * 100), 2), ...be(Math.round(report.courseDeg * 100), 2), report.satellites],
    ...[Number(report.hasFix), Number(report.ignition) + 4, 8, ...report.own],
  ];
  return Uint8Array.from([report.header, ...be(body.length, 2), ...body]);
}

export function line(columns: readonly string[]): Uint8Array {
  return new Uint8Array(Buffer.from(`${columns.join(";")}\r`, "latin1"));
}

function clockColumns(at: number): readonly string[] {
  const text = new Date(at).toISOString();
  return [text.slice(0, 10).replaceAll("-", ""), text.slice(11, 19)];
}

function clockBytes(at: number): readonly number[] {
  const [year = 0, ...others] = new Date(at).toISOString().slice(0, 19).split(/\D/).map(Number);
  return [year - 2000, ...others];
}

function digitBytes(digits: string): readonly number[] {
  return [...Buffer.from(digits, "hex")];
}

function be(value: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256);
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(6).padStart(digits, "0")}`;
}

function flag(isSet: boolean): string {
  return isSet ? "1" : "0";
}
