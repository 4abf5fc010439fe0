import type { ReadFields } from "../kit/frame.ts";
import { decimalOf, namesOfFilled } from "../kit/text-values.ts";
import { hasMeaning, meaningOfCode } from "./alerts.ts";
import { isPlace, type SuntechText, timeIn } from "./message.ts";
import {
  driverOfSerial,
  driverTagOf,
  locatedFields,
  odometerOf,
  oldPlace,
  positionOf,
  type SuntechReport,
  temperatureOf,
  unreadAround,
} from "./report.ts";

/**
 * Reports of the series ST200 to ST600, whose header names the series. Their columns differ by series, model and settings. But date
 * and time, and latitude and longitude, stand side by side in all of them and have a form of their own; the rest follows from there.
 */
export function readLegacy(message: SuntechText): SuntechReport | null {
  const { header, kind, columns } = message;
  const { timeAt, at } = timeIn(columns);
  if (kind === "HTE") return { ...readTravel(columns.slice(timeAt + 2)), what: `trip ended, ${header}`, at };
  const isKnown = ["STT", "EMG", "EVT", "ALT", "UEX"].includes(kind);
  const placeAt = columns.findIndex((latitude, index) => index > timeAt && isPlace(latitude, columns[index + 1]));
  if (placeAt < 0 && !isKnown) return null;
  const [latitude, longitude, speed, course, satellites, fix, ...rest] = placeAt < 0 ? [] : columns.slice(placeAt);
  const position = positionOf({ latitude, longitude, speed, course, satellites });
  const around = [...unreadAround(columns, timeAt, placeAt), ...oldPlace(fix === "1", position)];
  const state = /^ST4\d\d$/.test(message.series) ? ofBatteryTracker(kind, rest) : readState(message, rest);
  return {
    what: `${state.what}, ${header}`,
    at,
    fields: { ...locatedFields(fix === "1", position), ...state.fields },
    events: state.events,
    unread: [...around, ...state.unread, ...(isKnown ? [] : [`report ${header}`])],
  };
}

type State = Omit<SuntechReport, "at">;

/** The ST4 series has a battery of its own and no wires. What it measures stands before the position. */
function ofBatteryTracker(kind: string, rest: readonly string[]): State {
  const isStatus = kind === "STT";
  const unread = [...(isStatus ? [] : ["number of the alert"]), ...(rest.length > 0 ? ["columns at the end"] : [])];
  return { what: isStatus ? "position" : "alert", fields: {}, events: [], unread };
}

/** Copies of these trackers write hex digits, filled up with zeros. */
function metresOf(distance = ""): number | null {
  return /^(?:0|[1-9]\d*)$/.test(distance) ? odometerOf(Number(distance)) : null;
}

/** Mode and count; length, place and checksum of the data. All others have a number. */
const ownColumns: Readonly<Record<string, number>> = { STT: 2, UEX: 3 };

/** Distance, voltage of the vehicle, inputs; what the kind of report adds; then hours, backup battery and what the model has. */
function readState({ kind, data }: SuntechText, rest: readonly string[]): State {
  const [distance, volts, inputs = "", ...own] = rest;
  const hasInputs = /^[01]{6,}$/.test(inputs);
  const code = hasMeaning(kind) ? meaningOfCode(kind, own[0]) : null;
  const tail = readTail(own.slice(ownColumns[kind] ?? 1));
  const driver = data === null ? null : driverOfSerial(data);
  const serial = kind !== "UEX" || driver !== null ? [] : ["data of a serial device"];
  return {
    what: code?.what ?? (kind === "UEX" ? "data of a serial device" : "position"),
    events: code?.events ?? [],
    unread: [
      ...(code?.unread ?? []),
      ...namesOfFilled({
        // The first digit is the ignition.
        "inputs and outputs": hasInputs ? inputs.slice(1) : inputs,
        "mode or count": own.slice(code === null ? 0 : 1, ownColumns[kind] ?? 1).join(""),
      }),
      ...serial,
      ...tail.unread,
    ],
    fields: {
      odometer_km: metresOf(distance),
      external_voltage_v: decimalOf(volts),
      ignition: hasInputs ? inputs.startsWith("1") : (code?.ignition ?? null),
      ...tail.fields,
      driver_id: driver ?? tail.fields.driver_id ?? null,
    },
  };
}

/**
 * First hours of driving, the voltage of the backup battery, and whether the report was stored. Which columns a model has behind
 * these does not show in a message. Keys, with a flag whether they are registered, and temperatures show by their form.
 */
function readTail(tail: readonly string[]): { readonly fields: ReadFields; readonly unread: readonly string[] } {
  const driver_id = tail.map(driverTagOf).find((found) => found !== null) ?? null;
  const sensors = tail.flatMap(temperatureOf);
  const others = tail.slice(3);
  const isRead = (text: string, index: number) =>
    text === driver_id || temperatureOf(text).length > 0 || /^[0.:]*$/.test(text) || isFlag(text, others[index - 1]);
  const isFlag = (text: string, before = "") => text === "1" && before === driver_id;
  const [hours, battery, stored] = tail.slice(0, 3).map((text) => (isRead(text, 0) ? "" : text));
  const unread = [
    ...namesOfFilled({ "hours of driving": hours, "voltage of its battery": battery, "whether it was stored": stored }),
    ...(others.every(isRead) ? [] : ["columns at the end"]),
  ];
  return { fields: { driver_id, sensors }, unread };
}

/** A distance, which may be the trip's, and the voltage come first, the driver's key last. Its places are where it began and ended. */
function readTravel(columns: readonly string[]): Pick<SuntechReport, "fields" | "events" | "unread"> {
  return {
    fields: { external_voltage_v: decimalOf(columns[1]), driver_id: driverTagOf(columns.at(-1)) },
    events: [],
    unread: ["trip", "places of the trip", "distance of the trip"],
  };
}
