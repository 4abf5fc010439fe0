import type { FuelReport, TemperatureReport } from "../../../domain/frame.ts";
import { textOf } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import type { Dialect } from "./dialects.ts";
import { type DriverForm, type ElementReading, elementKey } from "./elements/reading.ts";
import type { AvlRecord, IoElement } from "./records.ts";

/** What was read of one record so far. */
interface RecordReport {
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly fuel: Map<string, FuelReport>;
  readonly temperatures: Map<string, TemperatureReport>;
  readonly events: TrackerEvent[];
  /** The number of a tachograph card comes in two elements. */
  readonly card: [firstHalf: string, secondHalf: string];
}

/** The frames of a record. Numbers that are not published are added to `unread`. */
export function framesOf(
  record: AvlRecord,
  { table, isKnown }: Dialect,
  leftOut: string[],
  unread: Set<string>,
): readonly TrackerFrame[] {
  const { time, position, trigger, elements } = record;
  const report: RecordReport = {
    fields: { ...position },
    fuel: new Map(),
    temperatures: new Map(),
    events: [],
    card: ["", ""],
  };
  for (const element of elements) {
    const { id, width } = element;
    const reading = table.get(elementKey(id, width));
    if (reading !== undefined) take(report, reading, element, trigger === id);
    else if (!isKnown(id)) unread.add(`io ${id}`);
  }
  const { fields, fuel, temperatures, card, events } = report;
  // The dilution of a position that is none.
  if (position.fix === false) fields.hdop = null;
  const cardNumber = card.join("").trim();
  if (cardNumber !== "") fields.driver_id ??= cardNumber;
  return trackerFrames(time, { ...fields, sensors: [...fuel.values(), ...temperatures.values()] }, events, leftOut);
}

function take(report: RecordReport, reading: ElementReading, element: IoElement, isTrigger: boolean): void {
  const { fields, events } = report;
  const { value } = element;
  switch (reading.as) {
    case "ignition":
      fields.ignition = value > 0;
      break;
    case "number":
      if (reading.isFallback === true) fields[reading.field] ??= value / reading.per;
      else fields[reading.field] = value / reading.per;
      break;
    case "temperature":
    case "humidity":
    case "fuel":
      takeSensor(report, reading, element);
      break;
    case "driver":
      takeDriver(report, reading.form, element.bytes);
      break;
    case "trigger":
      if (isTrigger) events.push(reading.event);
      break;
    case "events": {
      const event = reading.always?.[value] ?? (isTrigger ? reading.asTrigger?.[value] : undefined);
      if (event !== undefined) events.push(event);
    }
  }
}

type SensorReading = Extract<ElementReading, { readonly sensor: string }>;

function takeSensor({ fuel, temperatures }: RecordReport, reading: SensorReading, { value, width }: IoElement): void {
  const { sensor, per, from, to } = reading;
  const raw = from < 0 && value >= 2 ** (width * 8 - 1) ? value - 2 ** (width * 8) : value;
  if (raw < from || raw > to || (reading.as === "temperature" && reading.errors.includes(raw))) return;
  if (reading.as === "fuel") {
    const before = fuel.get(sensor) ?? { kind: "fuel", sensor, level_percent: null, volume_l: null };
    fuel.set(sensor, { ...before, [reading.field]: raw / per });
    return;
  }
  const field = reading.as === "humidity" ? "humidity_percent" : "temperature_c";
  const before = temperatures.get(sensor) ?? {
    kind: "temperature",
    sensor,
    temperature_c: null,
    humidity_percent: null,
  };
  temperatures.set(sensor, { ...before, [field]: raw / per });
}

/** All zeros: no key is there. All ones: none was read. */
const noKey = /^(?:0+|f+)$/;

function takeDriver({ fields, card }: RecordReport, form: DriverForm, bytes: Uint8Array): void {
  if (noKey.test(bytes.toHex())) return;
  if (form === "ibutton") fields.driver_id = bytes.toReversed().toHex().toUpperCase();
  else if (form === "rfid") fields.driver_id ??= bytes.toHex().toUpperCase();
  else card[form === "card_first_half" ? 0 : 1] = textOf(bytes).replace(/[^ -~]/g, "");
}
