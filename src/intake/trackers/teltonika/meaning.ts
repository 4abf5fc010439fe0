import type { FuelReport, TemperatureReport } from "../../../domain/frame.ts";
import { textOf } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { type DriverForm, type ElementReading, type ElementTable, elementKey } from "./elements/reading.ts";
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

/** The frames of a record. Elements without a reading are added to `unread`. */
export function framesOf(
  record: AvlRecord,
  table: ElementTable,
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
    const isRead = reading !== undefined && take(report, reading, element, trigger === id);
    if (!isRead) unread.add(nameOf(id));
  }
  for (const name of record.unread) unread.add(name);
  const triggers = elements.some(({ id, width }) => id === trigger && table.has(elementKey(id, width)));
  if (trigger !== 0 && !triggers) unread.add("reason of the record");
  const { fields, fuel, temperatures, card, events } = report;
  // The dilution of a position that is none.
  if (position.fix === false) fields.hdop = null;
  const cardNumber = card.join("").trim();
  if (cardNumber !== "") fields.driver_id ??= cardNumber;
  return trackerFrames(time, { ...fields, sensors: [...fuel.values(), ...temperatures.values()] }, events, leftOut);
}

const names = new Map<number, string>();

/** Nearly every record has the same: their names are made once. */
function nameOf(id: number): string {
  const name = names.get(id) ?? `io ${id}`;
  names.set(id, name);
  return name;
}

/** Whether this value was one that it reads. */
function take(report: RecordReport, reading: ElementReading, element: IoElement, isTrigger: boolean): boolean {
  const { fields, events } = report;
  const { value } = element;
  switch (reading.as) {
    case "ignition":
      fields.ignition = value > 0;
      return true;
    case "number":
      if (reading.isFallback === true) fields[reading.field] ??= value / reading.per;
      else fields[reading.field] = value / reading.per;
      return true;
    case "temperature":
    case "humidity":
    case "fuel":
      return takeSensor(report, reading, element);
    case "driver":
      return takeDriver(report, reading.form, element.bytes);
    case "trigger":
      if (isTrigger) events.push(reading.event);
      return isTrigger || value === 0;
    case "events": {
      const event = reading.always?.[value] ?? (isTrigger ? reading.asTrigger?.[value] : undefined);
      if (event !== undefined) events.push(event);
      return event !== undefined || value === 0;
    }
  }
}

type SensorReading = Extract<ElementReading, { readonly sensor: string }>;

function takeSensor(
  { fuel, temperatures }: RecordReport,
  reading: SensorReading,
  { value, width }: IoElement,
): boolean {
  const { sensor, per, from, to } = reading;
  const raw = from < 0 && value >= 2 ** (width * 8 - 1) ? value - 2 ** (width * 8) : value;
  if (raw < from || raw > to || (reading.as === "temperature" && reading.errors.includes(raw))) return true;
  if (reading.as === "fuel") {
    const before = fuel.get(sensor) ?? { kind: "fuel", sensor, level_percent: null, volume_l: null };
    fuel.set(sensor, { ...before, [reading.field]: raw / per });
    return true;
  }
  const field = reading.as === "humidity" ? "humidity_percent" : "temperature_c";
  const before = temperatures.get(sensor) ?? {
    kind: "temperature",
    sensor,
    temperature_c: null,
    humidity_percent: null,
  };
  temperatures.set(sensor, { ...before, [field]: raw / per });
  return true;
}

/** All zeros: no key is there. All ones: none was read. */
const noKey = /^(?:0+|f+)$/;

function takeDriver({ fields, card }: RecordReport, form: DriverForm, bytes: Uint8Array): boolean {
  if (noKey.test(bytes.toHex())) return false;
  if (form === "ibutton") fields.driver_id = bytes.toReversed().toHex().toUpperCase();
  else if (form === "rfid") fields.driver_id ??= bytes.toHex().toUpperCase();
  else card[form === "card_first_half" ? 0 : 1] = textOf(bytes).replace(/[^ -~]/g, "");
  return true;
}
