/**
 * Writes what a terminal sends, from the text of JT/T 808-2013 and -2019: header of message number, attributes, (version,) phone
 * number, serial number (and parts), the body, one check byte, escapes, and 0x7e at both ends.
 */
export interface TerminalMessage {
  readonly type: number;
  readonly body: Buffer;
  /** Digits; filled up with zeros in front. */
  readonly phone?: string;
  readonly serial?: number;
  /** 1: the edition of 2019. */
  readonly version?: number;
  readonly part?: { readonly number: number; readonly total: number };
  readonly encryption?: number;
}

export function encodeMessage(message: TerminalMessage): Uint8Array {
  const { type, body, phone = "13800138000", serial = 1, version, part, encryption = 0 } = message;
  const attributes =
    body.length | (encryption << 10) | (part === undefined ? 0 : 1 << 13) | (version === undefined ? 0 : 1 << 14);
  const content = Buffer.concat([
    word(type),
    word(attributes),
    ...(version === undefined ? [] : [Buffer.from([version])]),
    Buffer.from(phone.padStart(version === undefined ? 12 : 20, "0"), "hex"),
    word(serial),
    ...(part === undefined ? [] : [word(part.total), word(part.number)]),
    body,
  ]);
  const check = content.reduce((sum, byte) => sum ^ byte, 0);
  const escaped = [...content, check].flatMap((byte) => {
    if (byte === 0x7e) return [0x7d, 0x02];
    return byte === 0x7d ? [0x7d, 0x01] : [byte];
  });
  return Uint8Array.from([0x7e, ...escaped, 0x7e]);
}

export interface TerminalLocation {
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly isLocated?: boolean;
  readonly isIgnitionOn?: boolean;
  readonly altitude?: number;
  readonly speedKmh?: number;
  readonly heading?: number;
  readonly alarms?: number;
  readonly items?: readonly (readonly [number, Buffer])[];
}

/** Body of 0x0200. Latitude and longitude are without a sign: bits 2 and 3 of the status say south and west. */
export function locationBody(location: TerminalLocation): Buffer {
  const { latitude, longitude, isLocated = true, isIgnitionOn = false, alarms = 0, items = [] } = location;
  const status = (isIgnitionOn ? 1 : 0) | (isLocated ? 2 : 0) | (latitude < 0 ? 4 : 0) | (longitude < 0 ? 8 : 0);
  return Buffer.concat([
    doubleWord(alarms),
    doubleWord(status),
    doubleWord(Math.round(Math.abs(latitude) * 1e6)),
    doubleWord(Math.round(Math.abs(longitude) * 1e6)),
    word(location.altitude ?? 0),
    word(Math.round((location.speedKmh ?? 0) * 10)),
    word(location.heading ?? 0),
    timeDigits(location.at),
    ...items.map(([id, value]) => Buffer.concat([Buffer.from([id, value.length]), value])),
  ]);
}

export function itemsOfHex(items: readonly (readonly [number, string])[]): readonly (readonly [number, Buffer])[] {
  return items.map(([id, value]) => [id, Buffer.from(value, "hex")]);
}

/** Body of 0x0704: how many, whether stored, and each behind its length. */
export function batchBody(locations: readonly Buffer[]): Buffer {
  return Buffer.concat([
    word(locations.length),
    Buffer.from([1]),
    ...locations.map((location) => Buffer.concat([word(location.length), location])),
  ]);
}

/** YY-MM-DD-hh-mm-ss in GMT+8. */
export function timeDigits(at: number): Buffer {
  const text = new Date(at + 8 * 3_600_000).toISOString();
  return Buffer.from(text.replace(/\D/g, "").slice(2, 14), "hex");
}

export function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value & 0xffff);
  return bytes;
}

export function doubleWord(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
