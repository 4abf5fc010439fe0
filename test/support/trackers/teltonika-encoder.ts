/**
 * Writes what a Teltonika tracker sends, from https://wiki.teltonika-gps.com/view/Teltonika_Data_Sending_Protocols. It shares
 * nothing with the decoder, not even the checksum.
 */

export type SentCodec = "8" | "8 extended" | "16";

/** As hex, so that its width is plain. */
export interface SentElement {
  readonly id: number;
  readonly value: string;
}

export interface SentRecord {
  readonly time: number;
  readonly priority?: number;
  readonly longitude: number;
  readonly latitude: number;
  readonly altitude?: number;
  readonly angle?: number;
  readonly satellites: number;
  readonly speed?: number;
  readonly eventId?: number;
  readonly elements?: readonly SentElement[];
}

const codecIds: Readonly<Record<SentCodec, string>> = { "8": "08", "8 extended": "8e", "16": "10" };

export function hexNumber(value: number, bytes: number): string {
  const wrapped = BigInt.asUintN(bytes * 8, BigInt(Math.round(value)));
  return wrapped.toString(16).padStart(bytes * 2, "0");
}

export function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

export function sentLogin(imei: string): Uint8Array {
  return bytesOfHex(`${hexNumber(imei.length, 2)}${Buffer.from(imei).toString("hex")}`);
}

/** A packet over TCP. `checksum`: a wrong one, if given. */
export function sentPacket(codec: SentCodec, records: readonly SentRecord[], checksum?: number): Uint8Array {
  return sentData(dataArray(codec, records), checksum);
}

/** Any data over TCP, given as hex from the codec to the second number of records. */
export function sentData(data: string, checksum = sumOf(bytesOfHex(data))): Uint8Array {
  return bytesOfHex(`00000000${hexNumber(data.length / 2, 4)}${data}${hexNumber(checksum, 4)}`);
}

/** A packet over UDP, of type 1 unless given. */
export function sentDatagram(
  imei: string,
  codec: SentCodec,
  records: readonly SentRecord[],
  { packetId = 0xcafe, type = 1, dataId = 5 } = {},
): Uint8Array {
  const login = Buffer.from(sentLogin(imei)).toString("hex");
  const rest = `${hexNumber(packetId, 2)}${hexNumber(type, 1)}${hexNumber(dataId, 1)}${login}${dataArray(codec, records)}`;
  return bytesOfHex(`${hexNumber(rest.length / 2, 2)}${rest}`);
}

function dataArray(codec: SentCodec, records: readonly SentRecord[]): string {
  const count = hexNumber(records.length, 1);
  return `${codecIds[codec]}${count}${records.map((record) => recordHex(codec, record)).join("")}${count}`;
}

function recordHex(codec: SentCodec, record: SentRecord): string {
  const { time, priority = 0, longitude, latitude, altitude = 0, angle = 0, satellites, speed = 0 } = record;
  const { eventId = 0, elements = [] } = record;
  const isExtended = codec === "8 extended";
  const idBytes = codec === "8" ? 1 : 2;
  const countBytes = isExtended ? 2 : 1;
  const gps = [
    hexNumber(longitude * 1e7, 4),
    hexNumber(latitude * 1e7, 4),
    hexNumber(altitude, 2),
    hexNumber(angle, 2),
    hexNumber(satellites, 1),
    hexNumber(speed, 2),
  ].join("");
  const fixedWidths = [1, 2, 4, 8];
  const groups = fixedWidths.map((width) => {
    const members = elements.filter(({ value }) => value.length === width * 2);
    const written = members.map(({ id, value }) => `${hexNumber(id, idBytes)}${value}`);
    return `${hexNumber(members.length, countBytes)}${written.join("")}`;
  });
  const others = elements.filter(({ value }) => !fixedWidths.includes(value.length / 2));
  const anyLength = others.map(({ id, value }) => `${hexNumber(id, 2)}${hexNumber(value.length / 2, 2)}${value}`);
  return [
    hexNumber(time, 8),
    hexNumber(priority, 1),
    gps,
    hexNumber(eventId, idBytes),
    codec === "16" ? "05" : "",
    hexNumber(elements.length, countBytes),
    ...groups,
    isExtended ? `${hexNumber(others.length, 2)}${anyLength.join("")}` : "",
  ].join("");
}

/** CRC-16 with the polynomial 0x8005, each byte and the result mirrored: reckoned bit by bit. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((sum ^ (byte >> bit)) & 1) === 1;
      sum = isOdd ? (sum >> 1) ^ 0xa001 : sum >> 1;
    }
  }
  return sum;
}
