/** Writes reports as the @Track manuals describe them: GV300 (TRACGV300AN002) for vehicles, GL300 (TRACGL300AN001) for portable ones. */

/** The columns from GPS accuracy to cell id. */
export interface SentPosition {
  /** 1 to 50; 0: no fix, the last known position. */
  readonly accuracy: number;
  readonly speedKmh: number;
  readonly azimuthDeg: number;
  readonly altitudeM: number;
  readonly longitude: number;
  readonly latitude: number;
  /** GPS UTC time, in ms. */
  readonly at: number;
}

export const queclinkSample: SentPosition = {
  accuracy: 1,
  speedKmh: 48.5,
  azimuthDeg: 92,
  altitudeM: 70.5,
  longitude: 11.576124,
  latitude: 48.137154,
  at: Date.UTC(2026, 10, 17, 8, 30, 15),
};

export interface SentEnvelope {
  readonly kind?: "RESP" | "BUFF" | "ACK";
  readonly type: string;
  readonly version: string;
  readonly id: string;
  /** In ms; the device writes its local time. */
  readonly sentAt: number;
  readonly count: number;
}

export interface VehicleReport extends SentEnvelope {
  readonly supplyMv: number;
  /** Report ID and report type, a hex digit each. */
  readonly code: string;
  readonly positions: readonly SentPosition[];
  readonly mileageKm: number;
  readonly batteryPercent: number;
  /** 16, 1A, 11, 12, 21, 22, 41 or 42 */
  readonly state: string;
}

export interface PortableReport extends SentEnvelope {
  readonly positions: readonly SentPosition[];
  readonly mileageKm: number;
  readonly batteryPercent: number;
}

export function vehicleReport(report: VehicleReport): Uint8Array {
  const { supplyMv, code, positions, mileageKm, batteryPercent, state } = report;
  return message(report, [
    String(supplyMv),
    code,
    String(positions.length),
    // "Reserved" ends each position.
    ...positions.flatMap((position) => [...positionColumns(position), "00"]),
    mileageKm.toFixed(1),
    "00012:34:56",
    "12000",
    "",
    String(batteryPercent),
    `${state}0100`,
    "",
    "",
    "",
  ]);
}

export function portableReport(report: PortableReport): Uint8Array {
  const { positions, mileageKm, batteryPercent } = report;
  return message(report, [
    "0",
    "0",
    String(positions.length),
    // "Odo mileage" ends each position.
    ...positions.flatMap((position) => [...positionColumns(position), mileageKm.toFixed(1)]),
    String(batteryPercent),
  ]);
}

/** An event: what it says, where, and what follows. */
export function eventReport(
  envelope: SentEnvelope,
  head: readonly string[],
  position: SentPosition | null,
  tail: readonly string[] = ["00"],
): Uint8Array {
  const columns = position === null ? ["0", "", "", "", "", "", "", ...cell] : positionColumns(position);
  return message(envelope, [...head, ...columns, ...tail]);
}

/** A message without a position. */
export function message(envelope: SentEnvelope, columns: readonly string[]): Uint8Array {
  const { kind = "RESP", type, version, id, sentAt, count } = envelope;
  const counted = count.toString(16).toUpperCase().padStart(4, "0");
  const deviceName = "";
  const all = [`+${kind}:GT${type}`, version, id, deviceName, ...columns, timeColumn(sentAt), `${counted}$`];
  return new Uint8Array(Buffer.from(all.join(","), "latin1"));
}

const cell = ["0460", "0000", "18d8", "6141"];

function positionColumns(position: SentPosition): readonly string[] {
  return [
    String(position.accuracy),
    position.speedKmh.toFixed(1),
    String(position.azimuthDeg),
    position.altitudeM.toFixed(1),
    position.longitude.toFixed(6),
    position.latitude.toFixed(6),
    timeColumn(position.at),
    ...cell,
  ];
}

function timeColumn(at: number): string {
  return new Date(at).toISOString().replace(/[^\d]/g, "").slice(0, 14);
}
