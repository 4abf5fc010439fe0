import { ByteReader, bcd } from "../kit/bytes.ts";
import { utcTime } from "../kit/values.ts";
import { meaningOfCode } from "./alerts.ts";
import { driverTagOf, locatedFields, odometerOf, type SuntechReport } from "./report.ts";
import { mapped } from "./universal.ts";

/** A report in one of the two binary forms. */
export interface BinaryReport {
  readonly id: string;
  /** Null: of a kind that we do not know, or shorter than its kind. */
  readonly report: SuntechReport | null;
  readonly kind: number;
}

const zipKinds: Readonly<Record<number, string>> = { 16: "STT", 17: "EMG", 18: "EVT", 19: "ALT" };

/** `02`, a length, the report, `03`: the ST300 and ST600 series with zip on. Numbers are a whole part and decimal digits. */
export function readZip(bytes: Uint8Array): BinaryReport {
  const reader = new ByteReader(bytes, 3, bytes.length - 1);
  const kind = reader.u8();
  const id = reader.take(5).toHex().slice(0, 9);
  const name = zipKinds[kind];
  if (name === undefined) return { id, kind, report: null };
  const unread: string[] = [];
  reader.pass(3, "model and version", unread);
  const at = readTime(reader);
  reader.pass(3, "cell tower", unread);
  const latitude = decimal(reader.u8(), reader.take(3));
  const longitude = decimal(reader.u8(), reader.take(3));
  const speed = decimal(reader.u16(), reader.take(1));
  const course = decimal(reader.u16(), reader.take(1));
  const flags = reader.u8();
  const distance = reader.u32();
  const volts = decimal(reader.u8(), reader.take(1));
  const inputs = reader.u8();
  const code = name === "STT" ? null : meaningOfCode(name, String(reader.u8()));
  if (reader.isShort) return { id, kind, report: null };
  const signed = (value: number | null, isNegative: boolean) => (value === null ? null : isNegative ? -value : value);
  const report: SuntechReport = {
    what: `${code?.what ?? "position"}, zip ${name}`,
    at,
    events: code?.events ?? [],
    fields: {
      ...locatedFields((flags & 0x80) !== 0, {
        latitude: signed(latitude, (flags & 0x40) !== 0),
        longitude: signed(longitude, (flags & 0x20) !== 0),
        speed,
        course,
        satellites: flags & 0x1f,
      }),
      odometer_km: odometerOf(distance),
      external_voltage_v: volts,
      ignition: (inputs & 1) === 1,
    },
    unread: [
      ...unread,
      ...(code?.unread ?? []),
      ...((inputs & ~1) === 0 ? [] : ["inputs and outputs"]),
      ...(reader.left === 0 ? [] : ["bytes at the end"]),
    ],
  };
  return { id, kind, report };
}

const universalKinds: Readonly<Record<number, string>> = { 129: "STT", 130: "ALT" };

/** How many bytes the columns of the universal protocol have, in the order of its map. */
const sizes = [1, 3, 1, 3, 3, 4, 2, 2, 2, 1, 4, 4, 2, 2, 1, 1, 1, 1, 1] as const;

const unreadParts = ["model", "version", "isLive", "cell", "country", "network", "area", "signal", "outputs"] as const;

/** A kind, a length, the number, and the columns that a map of three bytes names. */
export function readUniversalBinary(bytes: Uint8Array): BinaryReport {
  const reader = new ByteReader(bytes, 3);
  const kind = bytes[0] ?? 0;
  const id = reader.take(5).toHex();
  const name = universalKinds[kind];
  if (name === undefined) return { id, kind, report: null };
  const map = reader.u24();
  const parts = new Map<string, ByteReader>();
  for (const [index, size] of sizes.entries()) {
    if ((map >>> (index + 1)) % 2 === 1) parts.set(mapped[index] ?? "", new ByteReader(reader.take(size)));
  }
  const u8 = (part: string) => parts.get(part)?.u8() ?? null;
  const code = name === "ALT" ? meaningOfCode(name, String(u8("code") ?? "")) : null;
  const driver = code?.what === meaningOfCode("ALT", "59").what ? keyOf(reader, map) : null;
  if (reader.isShort) return { id, kind, report: null };
  const inputs = u8("inputs");
  const report: SuntechReport = {
    what: `${code?.what ?? "position"}, binary ${name}`,
    at: readTime(parts.get("date"), parts.get("time")),
    events: code?.events ?? [],
    fields: {
      ...locatedFields((u8("fix") ?? 0) > 0, {
        latitude: degrees(parts.get("latitude")),
        longitude: degrees(parts.get("longitude")),
        speed: hundredths(parts.get("speed")),
        course: hundredths(parts.get("course")),
        satellites: u8("satellites"),
      }),
      ignition: inputs === null ? (code?.ignition ?? null) : (inputs & 1) === 1,
      driver_id: driver,
    },
    unread: [
      ...(code?.unread ?? []),
      ...unreadParts.filter((part) => parts.get(part)?.bytes.some((byte) => byte !== 0)),
      ...(inputs !== null && (inputs & ~1) !== 0 ? ["other inputs"] : []),
      ...(reader.left === 0 ? [] : ["assigned values"]),
    ],
  };
  return { id, kind, report };
}

/** Behind two bytes about the alert. */
function keyOf(reader: ByteReader, map: number): string | null {
  if ((map >>> 20) % 2 === 1) reader.skip(2);
  return (map >>> 21) % 2 === 1 ? driverTagOf(reader.take(8).toHex()) : null;
}

function readTime(date: ByteReader | undefined, time = date): number | null {
  if (date === undefined || time === undefined) return null;
  return utcTime([...date.take(3), ...time.take(3)]);
}

/** The highest bit is the sign. */
function degrees(part: ByteReader | undefined): number | null {
  if (part === undefined) return null;
  const value = part.u32();
  return value >= 2 ** 31 ? -(value - 2 ** 31) / 1e6 : value / 1e6;
}

function hundredths(part: ByteReader | undefined): number | null {
  return part === undefined ? null : part.u16() / 100;
}

/** 12 and 063565 are 12.063565. */
function decimal(whole: number, digits: Uint8Array): number | null {
  return digits.some((byte) => Number.isNaN(bcd(byte))) ? null : Number(`${whole}.${digits.toHex()}`);
}
