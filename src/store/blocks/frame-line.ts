import type { Frame, PositionSource, SensorReport } from "../../domain/frame.ts";
import { parseReported, timeSourceOf } from "../../domain/reported.ts";
import { acceptedDiscontinuity, verdictOf, verdictText } from "../../domain/verdict.ts";
import { plainSql } from "../sql.ts";
import { takeReportedText } from "./frame-digest.ts";
import type { ReportedPlace, StoredFrame } from "./stored-frame.ts";

/**
 * A frame in a row of its own. Beside its key and its receipts it is one text: verdict, fix, source, sensors, the reported
 * values and, if it was sent, the driver, separated by tabs. What is missing is empty. JSON contains neither tabs nor line
 * feeds, and no text in it looks like a sensor to a query.
 */
export function lineContent({ frame, verdict }: Pick<StoredFrame, "frame" | "verdict">): string {
  const sensors = frame.sensors.length === 0 ? "" : JSON.stringify(frame.sensors);
  const { fix, source, driver_id } = frame;
  const driver = driver_id === undefined ? "" : `\t${JSON.stringify(driver_id)}`;
  return `${verdictText(verdict) ?? ""}\t${fix ?? ""}\t${source ?? ""}\t${sensors}\t${takeReportedText(frame)}${driver}`;
}

const line = `r.recorded_at || '\t' || r.digest || '\t' || r.received_at || '\t'
  || coalesce(cast(r.timely_at as text), '') || '\t' || r.content`;

/** A row `r` as one text. */
export const lineText = plainSql(line);

/** Whether the frame of row `r` is valid: its content begins with no word of a verdict, or with that of a discontinuity. */
export const isValidLine = plainSql(
  `(r.content like '\t%' or r.content like '${verdictText(acceptedDiscontinuity)}\t%')`,
);

/** All rows of a query in one text, in order: an engine takes longer to return rows one by one than to find them. */
export const allLines = plainSql(`string_agg(${line}, '\n' order by r.recorded_at, r.digest)`);

/** One of them. */
export class FrameLine {
  readonly recordedAt: number;
  readonly digest: number;
  readonly receivedAt: number;
  /** As `verdictText` writes it. */
  readonly verdict: string | null;
  /** As `formatReported` writes it. */
  readonly reportedJson: string;
  readonly #parts: readonly string[];
  #sensors: readonly SensorReport[] | null = null;

  constructor(line: string) {
    const parts = line.split("\t");
    this.recordedAt = Number(parts[0]);
    this.digest = Number(parts[1]);
    this.receivedAt = Number(parts[2]);
    this.verdict = parts[4] || null;
    this.reportedJson = parts[8] as string;
    this.#parts = parts;
  }

  get sensors(): readonly SensorReport[] {
    const text = this.#parts[7];
    this.#sensors ??= text ? (JSON.parse(text) as SensorReport[]) : [];
    return this.#sensors;
  }

  get driverId(): string | undefined {
    const text = this.#parts[9];
    return text === undefined ? undefined : (JSON.parse(text) as string);
  }

  get timeSource(): Frame["time_source"] {
    return timeSourceOf(this.reportedJson);
  }

  get place(): ReportedPlace {
    return { ...parseReported(this.reportedJson), ...this.#fix };
  }

  get timelyAt(): number | null {
    const text = this.#parts[3];
    return text ? Number(text) : null;
  }

  /** As `lineContent` made it. */
  get content(): string {
    return this.#parts.slice(4).join("\t");
  }

  get #fix(): Pick<ReportedPlace, "fix" | "source"> {
    const [fix, source] = this.#parts.slice(5, 7);
    return { fix: fix ? fix === "true" : null, source: (source as PositionSource) || null };
  }

  stored(): StoredFrame {
    const { recordedAt, digest, receivedAt, sensors, driverId: driver_id } = this;
    const { fix, source } = this.#fix;
    const reported = parseReported(this.reportedJson);
    // Each by name, in the order of every frame: the rules are fastest with objects of one shape.
    const frame: Frame = {
      latitude: reported.latitude,
      longitude: reported.longitude,
      altitude_m: reported.altitude_m,
      speed_kmh: reported.speed_kmh,
      heading_deg: reported.heading_deg,
      accuracy_m: reported.accuracy_m,
      satellites: reported.satellites,
      hdop: reported.hdop,
      ignition: reported.ignition,
      odometer_km: reported.odometer_km,
      battery_percent: reported.battery_percent,
      external_voltage_v: reported.external_voltage_v,
      event: reported.event,
      recordedAt,
      digest,
      receivedAt,
      fix,
      source,
      sensors,
      driver_id,
      time_source: this.timeSource,
    };
    return { frame, verdict: verdictOf(this.verdict), timelyAt: this.timelyAt };
  }
}

export function frameLineOf(stored: StoredFrame): FrameLine {
  return new FrameLine(frameLineText(stored));
}

/** As `lineText` makes it of a row. */
export function frameLineText(stored: StoredFrame): string {
  const { recordedAt, digest, receivedAt } = stored.frame;
  return `${recordedAt}\t${digest}\t${receivedAt}\t${stored.timelyAt ?? ""}\t${lineContent(stored)}`;
}

export function linesIn(text: string | null): FrameLine[] {
  return text === null ? [] : text.split("\n").map((line) => new FrameLine(line));
}
