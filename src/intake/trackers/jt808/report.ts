import type { SensorReport } from "../../../domain/frame.ts";
import { problemOf, reported } from "../kit/decoded.ts";
import type { TrackerEvent } from "../kit/events.ts";
import type { DecodeProblem } from "../kit/family.ts";
import type { ReadFields, TrackerFrame } from "../kit/frame.ts";
import { fuelReport, temperatureReport } from "../kit/sensors.ts";
import { standardZoneMinutes } from "./bcd.ts";

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

export interface DecodedReport {
  readonly frames: readonly TrackerFrame[];
  readonly unread: readonly string[];
  readonly leftOut: readonly string[];
  readonly problem: DecodeProblem | null;
  readonly imei: string | null;
}

export const nothingDecoded: DecodedReport = { frames: [], unread: [], leftOut: [], problem: null, imei: null };

/** What several reports say, one after another. What is wrong with one does not cost the others. */
export function joinedReports(reports: readonly DecodedReport[]): DecodedReport {
  return {
    frames: reports.flatMap(({ frames }) => frames),
    unread: reports.flatMap(({ unread }) => unread),
    leftOut: reports.flatMap(({ leftOut }) => leftOut),
    problem: reports.find(({ problem }) => problem !== null)?.problem ?? null,
    imei: reports.find(({ imei }) => imei !== null)?.imei ?? null,
  };
}

/** A lithium cell has at most 4.4 V, and two in a row are not used in trackers. What is above is the supply of the vehicle. */
const maxCellVolts = 6;

/** What a report says, gathered while its items are read. It lives as long as one report is decoded. */
export class Jt808Report {
  readonly fields: Writable<Omit<ReadFields, "sensors">> = {};
  readonly events = new Set<TrackerEvent>();
  readonly sensors: SensorReport[] = [];
  /** Parts that have no meaning for us. */
  readonly unread: string[] = [];
  /** Of the times in this report. Some dashcams name theirs in an item. */
  zoneMinutes = standardZoneMinutes;
  /** Some trackers without a number of their own name their IMEI in an item. */
  imei: string | null = null;
  /** What the alarm bits mean, if an item shows whose they are. */
  alarmBits: Readonly<Record<number, TrackerEvent>> | null = null;

  /** The standard's own mileage comes first in a report, so a later item of a vendor does not replace it. */
  odometer(km: number): void {
    this.fields.odometer_km ??= km;
  }

  fuel(read: { readonly volume_l?: number; readonly level_percent?: number }): void {
    if (this.sensors.some(({ kind }) => kind === "fuel")) return;
    this.sensors.push({ ...fuelReport("tank_1", null), ...read });
  }

  temperature(number: number, celsius: number | null, humidity: number | null = null): void {
    const sensor = `temp_${number}`;
    if (this.sensors.some((other) => other.sensor === sensor)) return;
    this.sensors.push(temperatureReport(sensor, celsius, humidity));
  }

  battery(percent: number): void {
    this.fields.battery_percent = percent;
  }

  supply(volts: number): void {
    this.fields.external_voltage_v = volts;
  }

  /** Some items hold the supply in one model and the tracker's own battery, for which a frame has no field, in another. */
  supplyOrCell(volts: number): boolean {
    const isSupply = volts > maxCellVolts;
    if (isSupply) this.supply(volts);
    return isSupply;
  }

  /** Texts of a fixed length are filled up with zeros or spaces. */
  driver(text: string): void {
    const id = text.replaceAll("\0", "").trim();
    if (id !== "") this.fields.driver_id = id;
  }

  event(event: TrackerEvent | undefined): void {
    if (event !== undefined) this.events.add(event);
  }

  /** Without a time there is no frame. */
  /** A message that has no time holds when it comes. */
  decodedNow(receivedAt: number): DecodedReport {
    this.fields.time_source = "receipt";
    return this.decodedAt(receivedAt);
  }

  decodedAt(recordedAt: number | null): DecodedReport {
    const fields = { ...this.fields, sensors: this.sensors };
    const { unread, imei } = this;
    return { ...(recordedAt === null ? untimed : reported(recordedAt, fields, [...this.events])), unread, imei };
  }
}

const untimed = { ...nothingDecoded, problem: problemOf("no_time", "no such time") };

/** The events of the bits that are set. */
export function eventsOfBits(
  bits: number,
  eventByBit: Readonly<Record<number, TrackerEvent>>,
): readonly TrackerEvent[] {
  if (bits === 0) return []; // nearly always
  return Object.entries(eventByBit).flatMap(([bit, event]) => (hasBit(bits, Number(bit)) ? [event] : []));
}

export function hasBit(bits: number, bit: number): boolean {
  return ((bits >>> bit) & 1) === 1;
}
