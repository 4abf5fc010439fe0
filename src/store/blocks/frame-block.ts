import type { Frame, PositionSource, SensorReport } from "../../domain/frame.ts";
import { type Reported, reportedFields } from "../../domain/reported.ts";
import { verdictOf, verdictText } from "../../domain/verdict.ts";
import { BlockReader, ByteWriter } from "./bytes.ts";
import {
  type BlockColumn,
  type DecimalColumn,
  isSame,
  readColumn,
  valueAt,
  writeColumn,
  writeDecimals,
} from "./columns.ts";
import { giveOwnDigest, hasOwnDigest } from "./frame-digest.ts";
import type { ReportedPlace, StoredFrame } from "./stored-frame.ts";

/**
 * Frames of one device, in order, as they are stored in a block: the number of the form in one byte, then, compressed,
 * how many there are and a column for each value.
 *
 * The digest is a hash of the content, so it is computed again. It is stored only where that gives another: the time of
 * such a frame was repaired, or is that of its receipt.
 */
const plainForm = 1;
/** With a further column, the drivers. Only blocks that have one are of this form: others do not grow. */
const formWithDrivers = 2;
/** With one more, of frames whose time is that of their receipt. */
const formWithReceipts = 3;
/** More takes longer and hardly saves anything: the columns are small already. */
const zstdLevel = 3;

const out = new ByteWriter();

/** The frames of one block, perhaps after those of a block that they are added to. */
export function encodeFrames(frames: readonly StoredFrame[], earlier: FrameBlock | null = null): Uint8Array {
  const count = (earlier?.count ?? 0) + frames.length;
  const hasReceipts = earlier?.hasReceipts || frames.some(({ frame }) => frame.time_source !== undefined);
  const hasDrivers = hasReceipts || earlier?.hasDrivers || frames.some(({ frame }) => frame.driver_id !== undefined);
  const form = hasReceipts ? formWithReceipts : hasDrivers ? formWithDrivers : plainForm;
  const [recordedAt, receivedAfter, ...others] = columnsOf(frames, earlier, count);
  out.start();
  out.number(count);
  writeDecimals(out, recordedAt as number[]);
  writeDecimals(out, receivedAfter as number[]);
  for (const column of others.slice(0, others.length + form - formWithReceipts)) writeColumn(out, column);
  const packed = Bun.zstdCompressSync(out.written(), { level: zstdLevel });
  const body = new Uint8Array(packed.length + 1);
  body[0] = form;
  body.set(packed, 1);
  return body;
}

/** Two times, what was reported, and eight more. */
const columnCount = 2 + reportedFields.length + 8;
/** In its column. */
const byReceipt = 1;

/** All columns in their order, filled in one pass over the frames. */
function columnsOf(frames: readonly StoredFrame[], earlier: FrameBlock | null, count: number): unknown[][] {
  const columns = Array.from({ length: columnCount }, () => new Array<unknown>(count));
  earlier?.copyTo(columns);
  let at = earlier?.count ?? 0;
  for (const { frame, verdict, timelyAt } of frames) {
    const values = [
      frame.recordedAt,
      frame.receivedAt - frame.recordedAt,
      frame.latitude,
      frame.longitude,
      frame.altitude_m,
      frame.speed_kmh,
      frame.heading_deg,
      frame.accuracy_m,
      frame.satellites,
      frame.hdop,
      frame.ignition,
      frame.odometer_km,
      frame.battery_percent,
      frame.external_voltage_v,
      frame.event,
      verdictText(verdict),
      frame.fix,
      frame.source,
      frame.sensors.length === 0 ? null : frame.sensors,
      timelyAt ?? null,
      hasOwnDigest(frame) ? null : frame.digest,
      frame.driver_id ?? null,
      frame.time_source === undefined ? null : byReceipt,
    ];
    for (let column = 0; column < columnCount; column++) (columns[column] as unknown[])[at] = values[column];
    at++;
  }
  return columns;
}

/** Where each field stands among the columns. */
const places = Object.fromEntries(reportedFields.map((name, place) => [name, place])) as Record<keyof Reported, number>;

/** A block as it is read: columns, of which a page of positions is written without making frames. */
export class FrameBlock {
  readonly count: number;
  readonly recordedAt: Float64Array;
  /** In the order of `reportedFields`. */
  readonly reported: readonly BlockColumn[];
  readonly #receivedAfter: Float64Array;
  readonly #verdicts: BlockColumn;
  readonly #fixes: BlockColumn;
  readonly #sources: BlockColumn;
  readonly #sensors: BlockColumn;
  readonly #timelyAt: BlockColumn;
  readonly #digests: BlockColumn;
  readonly #drivers: BlockColumn | null;
  readonly #receipts: BlockColumn | null;

  constructor(body: Uint8Array) {
    const [form = 0] = body;
    if (form < plainForm || form > formWithReceipts)
      throw new Error(`a block of frames has form ${form}, which this program does not know`);
    const bytes = new BlockReader(Bun.zstdDecompressSync(body.subarray(1)));
    this.count = bytes.number();
    const next = () => readColumn(bytes, this.count);
    this.recordedAt = (next() as DecimalColumn).scaled;
    this.#receivedAfter = (next() as DecimalColumn).scaled;
    this.reported = reportedFields.map(next);
    this.#verdicts = next();
    this.#fixes = next();
    this.#sources = next();
    this.#sensors = next();
    this.#timelyAt = next();
    this.#digests = next();
    this.#drivers = form >= formWithDrivers ? next() : null;
    this.#receipts = form === formWithReceipts ? next() : null;
  }

  /** Its values, at the beginning of the columns of a block that takes its place. */
  copyTo(columns: readonly unknown[][]): void {
    const own = [this.#verdicts, this.#fixes, this.#sources, this.#sensors, this.#timelyAt, this.#digests];
    const later: readonly (BlockColumn | null)[] = [...this.reported, ...own, this.#drivers, this.#receipts];
    for (let index = 0; index < this.count; index++) {
      (columns[0] as unknown[])[index] = this.recordedAt[index];
      (columns[1] as unknown[])[index] = this.#receivedAfter[index];
      for (const [place, column] of later.entries()) {
        (columns[place + 2] as unknown[])[index] = column === null ? null : valueAt(column, index);
      }
    }
  }

  receivedAt(index: number): number {
    return (this.recordedAt[index] as number) + (this.#receivedAfter[index] as number);
  }

  /** Whether all have the same verdict, as in most blocks. */
  get hasOneVerdict(): boolean {
    return isSame(this.#verdicts);
  }

  /** Whether all have the ordinary one. */
  get areAllAccepted(): boolean {
    return this.hasOneVerdict && this.verdict(0) === null;
  }

  /** As `verdictText` writes it. */
  verdict(index: number): string | null {
    return valueAt(this.#verdicts, index) as string | null;
  }

  sensors(index: number): readonly SensorReport[] {
    return (valueAt(this.#sensors, index) as readonly SensorReport[] | null) ?? [];
  }

  /** Whether any has one. */
  get hasDrivers(): boolean {
    return this.#drivers !== null;
  }

  driverId(index: number): string | undefined {
    if (this.#drivers === null) return undefined;
    return (valueAt(this.#drivers, index) as string | null) ?? undefined;
  }

  /** Whether the time of any is that of its receipt. */
  get hasReceipts(): boolean {
    return this.#receipts !== null;
  }

  timeSource(index: number): Frame["time_source"] {
    return this.#receipts !== null && valueAt(this.#receipts, index) === byReceipt ? "receipt" : undefined;
  }

  /** Of a frame whose content has another: of alarms without a time, and where a time was repaired. */
  givenDigest(index: number): number | null {
    return valueAt(this.#digests, index) as number | null;
  }

  place(index: number): ReportedPlace {
    return {
      latitude: this.#reportedAt(places.latitude, index) as number | null,
      longitude: this.#reportedAt(places.longitude, index) as number | null,
      accuracy_m: this.#reportedAt(places.accuracy_m, index) as number | null,
      satellites: this.#reportedAt(places.satellites, index) as number | null,
      hdop: this.#reportedAt(places.hdop, index) as number | null,
      fix: valueAt(this.#fixes, index) as boolean | null,
      source: valueAt(this.#sources, index) as PositionSource | null,
    };
  }

  #reportedAt(place: number, index: number): unknown {
    return valueAt(this.reported[place] as BlockColumn, index);
  }

  frame(index: number): StoredFrame {
    const frame = {
      latitude: this.#reportedAt(places.latitude, index) as number | null,
      longitude: this.#reportedAt(places.longitude, index) as number | null,
      altitude_m: this.#reportedAt(places.altitude_m, index) as number | null,
      speed_kmh: this.#reportedAt(places.speed_kmh, index) as number | null,
      heading_deg: this.#reportedAt(places.heading_deg, index) as number | null,
      accuracy_m: this.#reportedAt(places.accuracy_m, index) as number | null,
      satellites: this.#reportedAt(places.satellites, index) as number | null,
      hdop: this.#reportedAt(places.hdop, index) as number | null,
      ignition: this.#reportedAt(places.ignition, index) as boolean | null,
      odometer_km: this.#reportedAt(places.odometer_km, index) as number | null,
      battery_percent: this.#reportedAt(places.battery_percent, index) as number | null,
      external_voltage_v: this.#reportedAt(places.external_voltage_v, index) as number | null,
      event: this.#reportedAt(places.event, index) as string | null,
      recordedAt: this.recordedAt[index] as number,
      digest: 0,
      receivedAt: this.receivedAt(index),
      fix: valueAt(this.#fixes, index) as boolean | null,
      source: valueAt(this.#sources, index) as PositionSource | null,
      sensors: this.sensors(index),
      driver_id: this.driverId(index),
      time_source: this.timeSource(index),
    };
    const digest = this.givenDigest(index);
    if (digest === null) giveOwnDigest(frame);
    else frame.digest = digest;
    const verdict = verdictOf(this.verdict(index));
    return { frame, verdict, timelyAt: valueAt(this.#timelyAt, index) as number | null };
  }

  /** The place of the first frame that is not before a moment. */
  firstFrom(at: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.recordedAt[middle] as number) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Those from a moment on: making one takes as long as decoding its columns. */
  frames(from = Number.NEGATIVE_INFINITY): StoredFrame[] {
    const first = this.firstFrom(from);
    return Array.from({ length: this.count - first }, (_, index) => this.frame(first + index));
  }
}
