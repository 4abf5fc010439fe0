import type { TrackerEvent } from "../../kit/events.ts";

/** What an IO element means for us. `per`: so many of the tracker's units are one of ours. */
export type ElementReading =
  | { readonly as: "ignition" }
  /** `isFallback`: only where no better element says it. */
  | { readonly as: "number"; readonly field: NumberField; readonly per: number; readonly isFallback?: boolean }
  /** A raw value outside `from` to `to`, or among `errors`, is the tracker's way to say that the sensor failed. */
  | ({ readonly as: "temperature"; readonly errors: readonly number[] } & SensorReading)
  | ({ readonly as: "humidity" } & SensorReading)
  | ({ readonly as: "fuel"; readonly field: "level_percent" | "volume_l" } & SensorReading)
  | { readonly as: "driver"; readonly form: DriverForm }
  /** The event whatever the value, in the record that the tracker made because of this element. */
  | { readonly as: "trigger"; readonly event: TrackerEvent }
  | { readonly as: "events"; readonly always?: EventsByValue; readonly asTrigger?: EventsByValue };

/**
 * `always`: wherever the element has this value. `asTrigger`: only in the record that the tracker made because of this element,
 * since some models repeat its state in every record.
 */
type EventsByValue = Readonly<Record<number, TrackerEvent>>;

export type NumberField = "odometer_km" | "battery_percent" | "external_voltage_v" | "hdop";

/** A raw value has a sign if `from` is below zero. */
interface SensorReading {
  readonly sensor: string;
  readonly per: number;
  readonly from: number;
  readonly to: number;
}

/** An iButton is printed from its last byte to its first. The number of a tachograph card is text in two halves. */
export type DriverForm = "ibutton" | "rfid" | "card_first_half" | "card_second_half";

/** Number, width in bytes, meaning. The width counts: some numbers mean one thing in one byte and another in four. */
export type ElementRow = readonly [id: number, width: number, reading: ElementReading];

export type ElementTable = ReadonlyMap<number, ElementReading>;

export function elementTable(...groups: readonly (readonly ElementRow[])[]): ElementTable {
  return new Map(groups.flat().map(([id, width, reading]) => [elementKey(id, width), reading]));
}

/** Both have 16 bits. */
export function elementKey(id: number, width: number): number {
  return id * 65_536 + width;
}

/** Elements that differ only in the number of a sensor: the first is 1. */
export function numbered(
  width: number,
  ids: readonly number[],
  reading: (number: number) => ElementReading,
): readonly ElementRow[] {
  return ids.map((id, index) => [id, width, reading(index + 1)]);
}

export function temperature(
  sensor: string,
  per: number,
  from: number,
  to: number,
  errors: readonly number[] = [],
): ElementReading {
  return { as: "temperature", sensor, per, from, to, errors };
}

export function humidity(sensor: string, per: number, to: number): ElementReading {
  return { as: "humidity", sensor, per, from: 0, to };
}

/** An event that only the value 1 means. */
export function eventIfOne(event: TrackerEvent): ElementReading {
  return { as: "events", always: { 1: event } };
}

/** 2 is the end of what 3 began. */
export const zone: ElementReading = {
  as: "events",
  asTrigger: { 0: "geofence_exit", 1: "geofence_enter", 3: "overspeed" },
};

/** The numbers from each first to each last. */
export function ranges(...pairs: readonly (readonly [first: number, last: number])[]): readonly number[] {
  return pairs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}
