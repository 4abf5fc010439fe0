/** Writes packets of records as the maker's description has them, in the form of command 1 or of command 68. */
export interface RuptelaReport {
  /** In ms, UTC, on a whole second. */
  readonly at: number;
  /** Null: no fix. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly altitudeTenths: number;
  readonly headingHundredths: number;
  readonly satellites: number;
  readonly speedKmh: number;
  readonly hdopTenths: number;
  /** Null: no such element. */
  readonly ignition: boolean | null;
  readonly millivolts: number;
  readonly metres: number;
  /** More elements, by the number of their bytes. */
  readonly more?: Readonly<
    Partial<Record<1 | 2 | 4 | 8, readonly (readonly [id: number, value: readonly number[]])[]>>
  >;
}

const [ignitionIo, voltsIo, metresIo] = [{ short: 251, long: 409 }, 29, 65];

export function ruptelaPacket(imei: string, reports: readonly RuptelaReport[], isExtended: boolean): Uint8Array {
  const records = reports.map((report) => record(report, isExtended));
  const head = Buffer.alloc(11);
  head.writeBigUInt64BE(BigInt(imei), 0);
  head[8] = isExtended ? 68 : 1;
  head[10] = reports.length;
  return packet(Buffer.concat([head, ...records]));
}

export function ruptelaIdentification(imei: string): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeBigUInt64BE(BigInt(imei), 0);
  head[8] = 15;
  return packet(Buffer.concat([head, Buffer.from("FM-Pro", "latin1")]));
}

function record(report: RuptelaReport, isExtended: boolean): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt32BE(report.at / 1000, 0);
  const { latitude, longitude } = report.place ?? { latitude: null, longitude: null };
  head.writeInt32BE(longitude === null ? -0x8000_0000 : Math.round(longitude * 1e7), 6);
  head.writeInt32BE(latitude === null ? -0x8000_0000 : Math.round(latitude * 1e7), 10);
  head.writeInt16BE(report.altitudeTenths, 14);
  head.writeUInt16BE(report.headingHundredths, 16);
  head[18] = report.satellites;
  head.writeUInt16BE(report.speedKmh, 19);
  head[21] = report.hdopTenths;
  const id = (number: number) => (isExtended ? [number >> 8, number & 255] : [number]);
  const volts = [report.millivolts >> 8, report.millivolts & 255];
  const metres = [24, 16, 8, 0].map((shift) => (report.metres >> shift) & 255);
  const list = (width: 1 | 2 | 4 | 8, own: readonly (readonly number[])[]) => {
    const all = [...own, ...(report.more?.[width] ?? []).map(([number, value]) => [...id(number), ...value])];
    return [all.length, ...all.flat()];
  };
  const elements = [
    ...id(7),
    ...list(
      1,
      report.ignition === null
        ? []
        : [[...id(isExtended ? ignitionIo.long : ignitionIo.short), Number(report.ignition)]],
    ),
    ...list(2, [[...id(voltsIo), ...volts]]),
    ...list(4, [[...id(metresIo), ...metres]]),
    ...list(8, []),
  ];
  // Time and its number; of command 68 whether the record goes on; priority.
  const times = [...head.subarray(0, 4), 0, ...(isExtended ? [0] : []), 0];
  return Buffer.concat([Buffer.from(times), head.subarray(6), Buffer.from(elements)]);
}

function packet(payload: Buffer): Uint8Array {
  const whole = Buffer.alloc(payload.length + 4);
  whole.writeUInt16BE(payload.length, 0);
  payload.copy(whole, 2);
  whole.writeUInt16BE(crc(payload), payload.length + 2);
  return new Uint8Array(whole);
}

/** Bit by bit. */
function crc(bytes: Uint8Array): number {
  let register = 0;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >> 1) ^ 0x8408 : register >> 1;
  }
  return register;
}
