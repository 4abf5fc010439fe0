/**
 * Writes messages as the maker's description of the T622 (2017) and of T1 and T333 (1.4) has them; CCE by published messages, since its
 * description was not at hand.
 */
export interface MeitrackReport {
  readonly id: string;
  readonly event: number;
  readonly latitude: number;
  readonly longitude: number;
  /** In ms, UTC, on a whole second. */
  readonly at: number;
  readonly hasFix: boolean;
  readonly satellites: number;
  readonly speedKmh: number;
  readonly headingDeg: number;
  readonly hdopTenths: number;
  readonly altitudeM: number;
  readonly metres: number;
  /** Of the vehicle. */
  readonly hundredthsOfVolts: number;
}

/** A report of an event as text. */
export function meitrackText(report: MeitrackReport): Uint8Array {
  const clock = new Date(report.at).toISOString().replace(/\D/g, "").slice(2, 14);
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, "0");
  const columns = [
    ...["AAA", report.event, report.latitude.toFixed(6), report.longitude.toFixed(6), clock],
    ...[report.hasFix ? "A" : "V", report.satellites, 12, report.speedKmh, report.headingDeg],
    ...[(report.hdopTenths / 10).toFixed(1), report.altitudeM, report.metres, 442_492, "520|3|12DF|015273E2", "0000"],
    ...[`0000|0000|0000|018D|${hex(report.hundredthsOfVolts)}`, "00000001", "", "1", "0000"],
  ];
  return meitrackMessage(report.id, Buffer.from(columns.join(","), "latin1"));
}

/** As elements: the same, with the battery in percent. */
export function meitrackElements(report: MeitrackReport, batteryPercent: number): Uint8Array {
  const words = (value: number) => [value & 255, (value >> 8) & 255];
  const longs = (value: number) => [...words(value), ...words(value >> 16)];
  const list = (...elements: readonly (readonly number[])[]) => [elements.length, ...elements.flat()];
  const seconds = (report.at - Date.UTC(2000, 0, 1)) / 1000;
  const position = [
    ...words(1),
    ...list([0x05, report.hasFix ? 1 : 0], [0x06, report.satellites], [0xfe, 0x69, batteryPercent]),
    ...list(
      [0x08, ...words(report.speedKmh)],
      [0x09, ...words(report.headingDeg)],
      [0x0a, ...words(report.hdopTenths)],
      [0x0b, ...words(report.altitudeM)],
      [0x1a, ...words(report.hundredthsOfVolts)],
      [0x40, ...words(report.event)],
    ),
    ...list(
      [0x02, ...longs(Math.round(report.latitude * 1e6))],
      [0x03, ...longs(Math.round(report.longitude * 1e6))],
      [0x04, ...longs(seconds)],
      [0x0c, ...longs(report.metres)],
    ),
    ...list([0x4b, 3, 1, 1, 0]),
  ];
  const content = [...longs(0), ...words(1), ...words(position.length), ...position];
  return meitrackMessage(report.id, Buffer.concat([Buffer.from("CCE,"), Buffer.from(content)]));
}

/** Asks whether the connection is alive. */
export function meitrackHeartbeat(id: string): Uint8Array {
  return meitrackMessage(id, Buffer.from("AAC,1"));
}

function meitrackMessage(id: string, content: Buffer): Uint8Array {
  const length = 1 + id.length + 1 + content.length + "*00\r\n".length;
  const summed = Buffer.concat([Buffer.from(`$$A${length},${id},`), content, Buffer.from("*")]);
  const sum = summed.reduce((total, byte) => total + byte, 0) % 256;
  const digits = sum.toString(16).toUpperCase().padStart(2, "0");
  return new Uint8Array(Buffer.concat([summed, Buffer.from(`${digits}\r\n`)]));
}
