/** Writes packets as the maker's description of the protocol has them: the head, and records in the order of its list. */
export interface GalileoskyReport {
  /** In ms, UTC, on a whole second. */
  readonly at: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly hasFix: boolean;
  readonly satellites: number;
  readonly speedTenths: number;
  readonly headingTenths: number;
  readonly altitudeM: number;
  readonly hdopTenths: number;
  readonly millivolts: number;
  readonly metres: number;
}

/** The IMEI has fifteen characters on this wire. */
export function galileoskyHead(imei: string): Uint8Array {
  return packet([
    0x01,
    0x82,
    0x02,
    0x12,
    0x03,
    ...Buffer.from(imei.padStart(15, "0").slice(-15), "latin1"),
    0x04,
    0x32,
    0x00,
  ]);
}

export function galileoskyRecords(reports: readonly GalileoskyReport[]): Uint8Array {
  return packet(reports.flatMap(record));
}

/** Records, each with more tags behind its own. */
export function galileoskyMore(reports: readonly (readonly [GalileoskyReport, readonly number[]])[]): Uint8Array {
  return packet(reports.flatMap(([report, more]) => [...record(report), ...more]));
}

function record(report: GalileoskyReport): readonly number[] {
  const bytes = Buffer.alloc(40);
  bytes.writeUInt32LE(report.at / 1000, 0);
  bytes[4] = (report.hasFix ? 0 : 0x10) | report.satellites;
  bytes.writeInt32LE(Math.round(report.latitude * 1e6), 5);
  bytes.writeInt32LE(Math.round(report.longitude * 1e6), 9);
  bytes.writeUInt16LE(report.speedTenths, 13);
  bytes.writeUInt16LE(report.headingTenths, 15);
  bytes.writeInt16LE(report.altitudeM, 17);
  bytes.writeUInt16LE(report.millivolts, 19);
  bytes.writeUInt32LE(report.metres, 21);
  const part = (from: number, to: number) => [...bytes.subarray(from, to)];
  return [
    ...[0x04, 0x32, 0x00, 0x10, 0x07, 0x00],
    ...[0x20, ...part(0, 4)],
    ...[0x30, ...part(4, 13)],
    ...[0x33, ...part(13, 17)],
    ...[0x34, ...part(17, 19)],
    ...[0x35, report.hdopTenths],
    ...[0x41, ...part(19, 21)],
    ...[0xd4, ...part(21, 25)],
  ];
}

function packet(tags: readonly number[]): Uint8Array {
  const summed = [0x01, tags.length & 255, tags.length >> 8, ...tags];
  const sum = crc(summed);
  return Uint8Array.of(...summed, sum & 255, sum >> 8);
}

/** Bit by bit. */
function crc(bytes: readonly number[]): number {
  let register = 0xffff;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ 0xa001 : register >> 1;
  }
  return register;
}
