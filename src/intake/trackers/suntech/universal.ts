import type { ReadFields } from "../kit/frame.ts";
import { decimalOf, namesOfFilled } from "../kit/text-values.ts";
import { meaningOfCode } from "./alerts.ts";
import { type SuntechText, suntechTime, timeIn } from "./message.ts";
import {
  driverOfSerial,
  driverTagOf,
  locatedFields,
  odometerOf,
  oldPlace,
  positionOf,
  type SuntechReport,
} from "./report.ts";

/** What the bits of a report's map stand for, from the second on; the first is the number, which stands before the map. */
export const mapped = [
  ...["model", "version", "isLive", "date", "time", "cell", "country", "network", "area", "signal"],
  ...["latitude", "longitude", "speed", "course", "satellites", "fix", "inputs", "outputs"],
  ...["code", "reason", "count"],
] as const;
/** What follows the outputs of a serial report is not mapped. */
const outputsBit = 18;
const reservedBit = 22;
const assignedBit = 23;

/** A report BLE has no map: model, version, date, time and place. */
const mapOfBle = "1836";

/** Reports of the universal protocol: a map says which columns there are. Null: of a kind that we do not know. */
export function readUniversal(message: SuntechText): SuntechReport | null {
  const { kind, header, data } = message;
  if (kind === "BSA" || kind === "TRV") return readByForm(message);
  if (!["STT", "ALT", "UEX", "BLE"].includes(kind)) return null;
  const [mapText = "", ...columns] = kind === "BLE" ? [mapOfBle, ...message.columns] : message.columns;
  if (!/^[\da-fA-F]{1,8}$/.test(mapText)) return null;
  const map = Number.parseInt(mapText, 16);
  const values: Partial<Record<(typeof mapped)[number], string>> = {};
  let next = 0;
  for (const [index, name] of mapped.entries()) {
    const isThere = (map >>> (index + 1)) % 2 === 1 && !(kind === "UEX" && index + 1 > outputsBit);
    if (isThere) values[name] = columns[next++] ?? "";
  }
  const hasOwn = kind !== "UEX" && kind !== "BLE";
  if (hasOwn && (map >>> reservedBit) % 2 === 1) next++;
  const hasAssignedMap = hasOwn && (map >>> assignedBit) % 2 === 1;
  const assigned = readAssigned(columns.slice(hasAssignedMap ? next + 1 : next), hasAssignedMap ? columns[next] : "");
  const code = kind === "ALT" ? meaningOfCode(kind, values.code) : null;
  const serialDriver = data === null ? null : driverOfSerial(data);
  // A tag that was read: the report does not say whether there is a fix, and has a place only then.
  const hasFix = kind === "BLE" ? values.latitude !== "" : values.fix === "1";
  return {
    what: `${code?.what ?? whatOf[kind] ?? "position"}, ${header}`,
    at: suntechTime(values.date, values.time),
    events: code?.events ?? [],
    fields: {
      ...locatedFields(hasFix, positionOf(values)),
      // The last digit is the ignition, those before it are inputs.
      ignition: /^[01]+$/.test(values.inputs ?? "") ? values.inputs?.endsWith("1") === true : (code?.ignition ?? null),
      driver_id: serialDriver ?? (values.code === "59" ? driverTagOf(values.count) : null),
      ...(hasOwn ? assigned.fields : {}),
    },
    unread: [
      ...(code?.unread ?? []),
      ...namesOfFilled({
        "model and version": `${values.model ?? ""}${values.version ?? ""}`,
        "whether it was stored": values.isLive === "1" ? "" : "1",
        "cell tower": [values.cell, values.country, values.network, values.area, values.signal].join(""),
        inputs: values.inputs?.slice(0, -1),
        outputs: values.outputs,
        "mode or reason": `${kind === "ALT" ? "" : (values.code ?? "")}${values.reason ?? ""}`,
        "count of reports": values.code === "59" ? "" : values.count,
        "columns behind the data": hasOwn || kind === "BLE" ? "" : columns.slice(next + 1).join(""),
      }),
      ...oldPlace(hasFix, positionOf(values)),
      ...(hasOwn
        ? assigned.unread
        : kind === "BLE"
          ? ["tags"]
          : serialDriver === null
            ? ["data of a serial device"]
            : []),
    ],
  };
}

const whatOf: Readonly<Record<string, string>> = { UEX: "data of a serial device", BLE: "tags in reach" };

/** The bit of the second map for the distance driven. */
const distanceBit = 15;

/**
 * What the owner assigned to the report. The first two are the voltages of vehicle and backup battery, in an order that differs by
 * model: the vehicle's has two digits behind the point, the battery's has one.
 */
function readAssigned(
  columns: readonly string[],
  mapText = "",
): { readonly fields: ReadFields; readonly unread: readonly string[] } {
  const map = /^[\da-fA-F]{1,8}$/.test(mapText) ? Number.parseInt(mapText, 16) : 0;
  const bits = Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => (map >>> bit) % 2 === 1);
  const distanceAt = bits.indexOf(distanceBit);
  const [one = "", other = ""] = columns;
  const isPair = (volts: string, battery: string) => /^\d{1,2}\.\d\d$/.test(volts) && /^\d\.\d$/.test(battery);
  const volts = isPair(one, other) ? one : isPair(other, one) ? other : undefined;
  const isUnread = (text: string, index: number) =>
    !/^[0.]*$/.test(text) && index !== distanceAt && !(volts !== undefined && index < 2);
  const battery = volts === undefined ? "" : volts === one ? other : one;
  return {
    fields: {
      external_voltage_v: decimalOf(volts),
      odometer_km: distanceAt < 0 ? null : odometerOf(decimalOf(columns[distanceAt])),
    },
    unread: [
      ...namesOfFilled({ "voltage of its battery": battery }),
      ...(columns.some(isUnread) ? ["assigned columns"] : []),
    ],
  };
}

/** Sensors in reach, and the end of a trip: the time and the driver show by their form. */
function readByForm({ kind, header, columns }: SuntechText): SuntechReport {
  return {
    what: `${kind === "TRV" ? "trip ended" : "sensors in reach"}, ${header}`,
    at: timeIn(columns).at,
    fields: { driver_id: kind === "TRV" ? (columns.map(driverTagOf).find((found) => found !== null) ?? null) : null },
    events: [],
    unread: [kind === "TRV" ? "trip" : "sensors", "model and version", "places"],
  };
}
