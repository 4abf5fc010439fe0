import type { FuelReport, TemperatureReport } from "../../../domain/frame.ts";
import { hexOf, textOf } from "../kit/bytes.ts";
import type { TrackerEvent } from "../kit/events.ts";
import { type ReadFields, type TrackerFrame, trackerFrames } from "../kit/frame.ts";
import { commonElements } from "./elements/common.ts";
import { isPublished } from "./elements/known.ts";
import { lightElements } from "./elements/light.ts";
import { professionalElements } from "./elements/professional.ts";
import { type DriverForm, type ElementTable, elementKey, elementTable, type Reading } from "./elements/reading.ts";
import { gh3000Elements, gh3000Known } from "./gh3000.ts";
import type { AvlRecord, IoElement } from "./records.ts";

/** What the elements of a family of models mean, and which numbers of others need not be named. */
export interface Dialect {
  readonly table: ElementTable;
  readonly isKnown: (id: number) => boolean;
}

export const gh3000: Dialect = { table: gh3000Elements, isKnown: (id) => gh3000Known.has(id) };
const light: Dialect = { table: elementTable(commonElements, lightElements), isKnown: isPublished };
const professional: Dialect = { table: elementTable(commonElements, professionalElements), isKnown: isPublished };

/**
 * Elements that only professional and older models send in this width: state of the satellites in one byte, cell in four, Dallas
 * temperature in two, power of the antenna or driving time in two. No message names the model.
 */
const professionalMarks = new Set([
  elementKey(71, 1),
  elementKey(205, 4),
  ...[72, 73, 74, 75].map((id) => elementKey(id, 2)),
  elementKey(69, 2),
]);

export function dialectOf(records: readonly AvlRecord[]): Dialect {
  const isProfessional = records.some(({ elements }) =>
    elements.some(({ id, width }) => professionalMarks.has(elementKey(id, width))),
  );
  return isProfessional ? professional : light;
}

/** What was read of one record so far. */
interface Report {
  readonly fields: { -readonly [Name in keyof ReadFields]: ReadFields[Name] };
  readonly fuel: Map<string, FuelReport>;
  readonly temperatures: Map<string, TemperatureReport>;
  readonly events: TrackerEvent[];
  /** The number of a tachograph card comes in two elements. */
  readonly card: [firstHalf: string, secondHalf: string];
}

/** The frames of a record. Numbers that nobody has published are added to `unread`. */
export function framesOf(
  record: AvlRecord,
  { table, isKnown }: Dialect,
  leftOut: string[],
  unread: Set<string>,
): readonly TrackerFrame[] {
  const { time, position, trigger, elements } = record;
  const report: Report = {
    fields: { ...position },
    fuel: new Map(),
    temperatures: new Map(),
    events: [],
    card: ["", ""],
  };
  for (const element of elements) {
    const { id, width } = element;
    const reading = width <= 8 ? table.get(elementKey(id, width)) : undefined;
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

function take(report: Report, reading: Reading, element: IoElement, isTrigger: boolean): void {
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

type SensorReading = Extract<Reading, { readonly sensor: string }>;

function takeSensor({ fuel, temperatures }: Report, reading: SensorReading, { value, width }: IoElement): void {
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

function takeDriver({ fields, card }: Report, form: DriverForm, bytes: Uint8Array): void {
  if (noKey.test(hexOf(bytes))) return;
  if (form === "ibutton") fields.driver_id = hexOf(bytes.toReversed()).toUpperCase();
  else if (form === "rfid") fields.driver_id ??= hexOf(bytes).toUpperCase();
  else card[form === "card_first_half" ? 0 : 1] = textOf(bytes).replace(/[^ -~]/g, "");
}
