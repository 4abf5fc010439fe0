/** Writes messages as the maker's description of T880x (5.6) has them; the newer ones by published messages. */
export interface TopflytechReport {
  readonly imei: string;
  readonly serial: number;
  /** In ms, UTC, on a whole second. */
  readonly at: number;
  /** Null: cells instead. */
  readonly place: { readonly latitude: number; readonly longitude: number; readonly altitudeM: number } | null;
  readonly satellites: number;
  readonly speedTenths: number;
  readonly headingDeg: number;
  readonly ignition: boolean;
  /** 0: none. */
  readonly alarm: number;
  readonly metres: number;
  readonly batteryPercent: number;
  /** Of the vehicle. */
  readonly hundredthsOfVolts: number;
}

/** A position or an alarm of a wired tracker: `0x23` and `0x25` with few inputs, `wide` with many. */
export function topflytechPosition(report: TopflytechReport, form: "old" | "new" | "wide"): Uint8Array {
  const { alarm, metres, ignition } = report;
  const isAlarm = alarm > 0;
  const type = form === "wide" ? (isAlarm ? 0x14 : 0x13) : isAlarm ? 0x04 : 0x02;
  const content = [
    ...[0, 60, 2, 88, 25, 0, 100, 0, 0],
    (report.place === null ? 0 : 0x40) | report.satellites,
    ...[0, 0, 5, 0, 0, 0],
    ...[ignition ? 0x40 : 0, 0],
    ...(form === "wide" ? [0, 0] : []),
    ...new Array<number>(form === "wide" ? 10 : 4).fill(0),
    ...[alarm, 0, ...[24, 16, 8, 0].map((shift) => (metres >> shift) & 255)],
    digits(report.batteryPercent % 100),
    ...clock(report.at),
    ...placeBytes(report),
    ...(form === "wide" ? [0x03, 0x91] : []),
    ...(form === "old"
      ? []
      : [digits(Math.floor(report.hundredthsOfVolts / 100)), digits(report.hundredthsOfVolts % 100)]),
  ];
  return topflytechMessage(form === "old" ? 0x23 : 0x25, type, report.imei, report.serial, content);
}

export function topflytechMessage(
  kind: number,
  type: number,
  imei: string,
  serial: number,
  content: readonly number[],
): Uint8Array {
  const id = [...Buffer.from(imei.padStart(16, "0"), "hex")];
  const length = 15 + content.length;
  return Uint8Array.of(kind, kind, type, length >> 8, length & 255, serial >> 8, serial & 255, ...id, ...content);
}

function clock(at: number): readonly number[] {
  const text = new Date(at).toISOString().replace(/\D/g, "").slice(2, 14);
  return [...Buffer.from(text, "hex")];
}

/** Two decimal digits in a byte. */
function digits(number: number): number {
  return Math.floor(number / 10) * 16 + (number % 10);
}

function placeBytes({
  place,
  speedTenths,
  headingDeg,
}: Pick<TopflytechReport, "place" | "speedTenths" | "headingDeg">): readonly number[] {
  if (place === null) return new Array<number>(16).fill(0x5a);
  const bytes = Buffer.alloc(16);
  bytes.writeFloatLE(place.altitudeM, 0);
  bytes.writeFloatLE(place.longitude, 4);
  bytes.writeFloatLE(place.latitude, 8);
  bytes[12] = digits(Math.floor(speedTenths / 100));
  bytes[13] = digits(speedTenths % 100);
  bytes.writeUInt16BE(headingDeg, 14);
  return [...bytes];
}

/** Lists of elements: settings (1), what is measured (2), and what says its own length (3). */
export function topflytechElements(
  kind: number,
  type: 0x62 | 0x64,
  imei: string,
  at: number,
  lists: {
    readonly settings?: readonly (readonly [number, ...number[]])[];
    readonly measured?: readonly (readonly [number, ...number[]])[];
    readonly long?: readonly (readonly [number, readonly number[]])[];
  },
  protection = 0,
): Uint8Array {
  const { settings = [], measured = [], long = [] } = lists;
  return topflytechMessage(kind, type, imei, 7, [
    ...[0, protection, ...clock(at)],
    ...(settings.length === 0 ? [] : [1, settings.length, ...settings.flat()]),
    ...(measured.length === 0 ? [] : [2, measured.length, ...measured.flat()]),
    ...(long.length === 0
      ? []
      : [3, 0, long.length, ...long.flatMap(([id, value]) => [0, id, value.length, ...value])]),
  ]);
}

/** The sixteen bytes of a place, with speed and degrees. */
export function topflytechPlace(
  place: NonNullable<TopflytechReport["place"]>,
  speedTenths: number,
  headingDeg: number,
) {
  return placeBytes({ place, speedTenths, headingDeg });
}

/** The place of the lists: degrees, dilution and satellites behind it. */
export function topflytechPlaceElement(
  place: NonNullable<TopflytechReport["place"]>,
  headingDeg: number,
  satellites: number,
): readonly number[] {
  return [
    ...placeBytes({ place, speedTenths: 0, headingDeg }).slice(0, 12),
    headingDeg >> 8,
    headingDeg & 255,
    0,
    9,
    satellites,
  ];
}

export function topflytechClock(at: number): readonly number[] {
  return clock(at);
}
