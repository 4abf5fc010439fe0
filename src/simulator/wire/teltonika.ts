/** What a Teltonika FMB sends over TCP: a login with its IMEI, then packets of records (codec 8). */

/** One record of a tracker. Without `place` it has no position. */
export interface TeltonikaRecord {
  readonly atMs: number;
  readonly place: TeltonikaPlace | null;
  readonly ignition: boolean;
  readonly odometerMetres: number;
}

export interface TeltonikaPlace {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitudeMetres: number;
  readonly headingDeg: number;
  readonly satellites: number;
  readonly speedKmh: number;
}

/** The count of a packet has one byte. */
export const maxTeltonikaRecords = 255;

const codec8 = 0x08;
const ignitionElement = 239;
const odometerElement = 16;
const recordBytes = 37;

const nowhere: TeltonikaPlace = {
  latitude: 0,
  longitude: 0,
  altitudeMetres: 0,
  headingDeg: 0,
  satellites: 0,
  speedKmh: 0,
};

/** The server answers with one byte: 1 if it knows the tracker. */
export function teltonikaLogin(imei: string): Uint8Array {
  return new Uint8Array(Buffer.concat([Buffer.of(0, imei.length), Buffer.from(imei, "latin1")]));
}

/** The server answers with the number of records that it stored, in four bytes. */
export function teltonikaPacket(records: readonly TeltonikaRecord[]): Uint8Array {
  if (records.length === 0 || records.length > maxTeltonikaRecords)
    throw new RangeError(`a packet has 1 to ${maxTeltonikaRecords} records, not ${records.length}`);
  const count = Buffer.of(records.length);
  const data = Buffer.concat([Buffer.of(codec8), count, ...records.map(recordOf), count]);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 4);
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(checksum(data));
  return new Uint8Array(Buffer.concat([head, data, tail]));
}

function recordOf({ atMs, place, ignition, odometerMetres }: TeltonikaRecord): Buffer {
  const { latitude, longitude, altitudeMetres, headingDeg, satellites, speedKmh } = place ?? nowhere;
  const bytes = Buffer.alloc(recordBytes);
  bytes.writeBigUInt64BE(BigInt(Math.round(atMs)), 0);
  bytes.writeInt32BE(Math.round(longitude * 1e7), 9);
  bytes.writeInt32BE(Math.round(latitude * 1e7), 13);
  bytes.writeInt16BE(Math.round(altitudeMetres), 17);
  bytes.writeUInt16BE(Math.round(headingDeg) % 360, 19);
  bytes.writeUInt8(satellites, 21);
  bytes.writeUInt16BE(Math.round(speedKmh), 22);
  // No trigger, two elements: one of one byte, none of two, one of four, none of eight.
  bytes.set([0, 2, 1, ignitionElement, ignition ? 1 : 0, 0, 1, odometerElement], 24);
  bytes.writeUInt32BE(Math.round(odometerMetres), 32);
  return bytes;
}

/** CRC-16/IBM. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0xa001 : sum >> 1;
  }
  return sum;
}
