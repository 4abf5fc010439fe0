import { alertKind, alertTypes } from "../../domain/alert-types.ts";
import { Failure } from "../../domain/errors.ts";
import { type BoundingBox, middleOf } from "../../domain/geometry/bounding-box.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import type { Route } from "../route.ts";
import { listDevices } from "../routes/devices.ts";
import { driverList } from "../routes/drivers.ts";
import { listGeofences } from "../routes/geofences.ts";
import { listLatestPositions } from "../routes/positions.ts";
import { listUsers } from "../routes/users.ts";
import type { RpcParams } from "./message.ts";
import { meantBy, type Named, nothingCalled, plainName } from "./plain-names.ts";
import type { Tool } from "./tools.ts";

/** Reads the rows that a list has for a query, if the key may call it; null if it may not. */
export type ReadNamedRows = (
  route: Route,
  query: Readonly<Record<string, string>>,
) => Promise<readonly Readonly<Record<string, unknown>>[] | null>;

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** What the route takes for what a model said; null: as it was said. */
type Understand = (argument: string, said: string, read: ReadNamedRows) => Promise<string | null>;

/**
 * Arguments that name something that there is: a model need not know how it is written, and is told what there is if there is no
 * such thing. An empty list would look like an answer.
 */
const namedThings: Readonly<Record<string, Understand>> = {
  device_id: async (argument, said, read) =>
    isUuid(said) ? null : ((await deviceNamed(argument, said, read))?.value ?? null),
  geofence_id: async (argument, said, read) => {
    if (isUuid(said)) return null;
    const fences = await fencesIn(read);
    return fences && theOne(argument, said, fences).value;
  },
  driver_id: async (argument, said, read) => {
    const rows = await read(driverList, {});
    const drivers = rows?.flatMap((row) =>
      (row.driver_ids as readonly string[]).map((tag) => ({
        value: tag,
        names: [text(row.name) || tag, tag, text(row.id) || tag],
      })),
    );
    return drivers ? theOne(argument, said, drivers).value : null;
  },
  tag: async (argument, said, read) => {
    // Of a large fleet only a part is read below.
    const tagged = await read(listDevices, { tag: said, limit: "1" });
    if (tagged === null || tagged.length > 0) return tagged && said;
    const rows = await read(listDevices, {});
    const tags = new Set(rows?.flatMap((row) => row.tags as readonly string[]));
    return (
      rows &&
      theOne(
        argument,
        said,
        Array.from(tags, (tag) => ({ value: tag, names: [tag] })),
      ).value
    );
  },
  search: async (argument, said, read) => {
    const found = await read(listDevices, { search: said, limit: "1" });
    if (found === null || found.length > 0) return null;
    const device = await deviceNamed(argument, said, read);
    return device?.names[0] ?? null;
  },
  user_id: async (argument, said, read) => {
    if (isUuid(said)) return null;
    const rows = await read(listUsers, {});
    const users = rows?.map((row) => ({ value: text(row.user_id), names: [row.name, row.email].map(text) }));
    return users ? theOne(argument, said, users).value : null;
  },
  kind: async (_, said) => said.toLowerCase(),
  alert_type: async (argument, said) => typeMeant(argument, said),
  severity: async (_, said) => said.toLowerCase(),
  near: async (argument, said, read) => {
    if (/^[\d\s.,;+-]+$/.test(said)) return said.replace(/\s*[,;]\s*|\s+/, ",").replaceAll(/[\s+]/g, "");
    return placeNamed(argument, said, read);
  },
};

function theOne(argument: string, said: string, things: readonly Named[]): Named {
  const found = meantBy(argument, said, things);
  if (found === null) throw nothingCalled(argument, said, things);
  return found;
}

/** The store searches as the API does. What people write otherwise is looked for among all. */
async function deviceNamed(argument: string, said: string, read: ReadNamedRows): Promise<Named | null> {
  const asNamed = (rows: Awaited<ReturnType<ReadNamedRows>>) =>
    (rows ?? []).map((row) => ({ value: text(row.device_id), names: [row.name, row.plate, row.imei].map(text) }));
  const found = await read(listDevices, { search: said });
  if (found === null) return null;
  const searched = meantBy(argument, said, asNamed(found));
  return searched ?? theOne(argument, said, asNamed(await read(listDevices, {})));
}

async function fencesIn(read: ReadNamedRows): Promise<Named[] | null> {
  const rows = await read(listGeofences, {});
  return rows?.map((row) => ({ value: text(row.geofence_id), names: [text(row.name)] })) ?? null;
}

/** The middle of a fence, or where a vehicle is. Null: the key may look up neither. */
async function placeNamed(argument: string, said: string, read: ReadNamedRows): Promise<string | null> {
  const fences = await read(listGeofences, {});
  const places: Named[] = (fences ?? []).map((row) => {
    const [longitude, latitude] = middleOf(row.bbox as BoundingBox);
    return { value: `${latitude.toFixed(6)},${longitude.toFixed(6)}`, names: [row.name, row.geofence_id].map(text) };
  });
  const fence = meantBy(argument, said, places);
  if (fence) return fence.value;
  const vehicles = await read(listLatestPositions, {});
  const stands = (vehicles ?? []).map((row) => ({
    value: `${row.latitude},${row.longitude}`,
    names: [row.name, row.plate, row.device_id].map(text),
  }));
  if (fences === null && vehicles === null) return null;
  const vehicle = meantBy(argument, said, stands);
  if (vehicle === null) throw nothingCalled(argument, said, [...places, ...stands]);
  return vehicle.value;
}

/** What other systems, and people, call some of the types. */
const otherWords: Readonly<Record<string, string>> = {
  fuel: "fuel_drain fuel_refill",
  theft: "fuel_drain towing unauthorised_movement",
  drop: "fuel_drain",
  panic: "sos",
  emergency: "sos",
  accident: "crash",
  collision: "crash",
  contact: "device_offline gps_lost",
  lost: "device_offline gps_lost",
  offline: "device_offline",
  speed: "speeding",
  idle: "idling",
  tow: "towing",
  brak: "harsh_braking",
  accelerat: "harsh_acceleration",
  corner: "harsh_cornering",
  geofence: "geofence_enter geofence_exit",
  temperature: "temperature_high temperature_low",
  tyre: "tyre_pressure_low tyre_temperature_high",
  tire: "tyre_pressure_low tyre_temperature_high",
  battery: "low_battery low_external_voltage",
  power: "power_cut low_external_voltage",
};

/** A type that is written otherwise is meant; another word is answered with the types that it may mean. */
function typeMeant(argument: string, said: string): string {
  const plain = plainName(said);
  const same = alertTypes.find((type) => plainName(type) === plain);
  if (same) return same;
  const words = Object.keys(otherWords).filter((word) => plain.includes(word));
  // The longest word says most.
  const meant = words
    .sort((one, other) => other.length - one.length)
    .flatMap((word) => otherWords[word]?.split(" ") ?? []);
  const nearest = [...new Set(meant)].slice(0, 5);
  const hint = nearest.length > 0 ? `nearest: ${nearest.map(withMessage).join(", ")}; ` : "";
  throw new Failure(
    "INVALID_REQUEST",
    `${argument}: there is no type ${JSON.stringify(said)}; ${hint}there are ${alertTypes.join(", ")}`,
  );
}

function withMessage(type: string): string {
  const known = alertTypes.find((other) => other === type);
  if (known === undefined) return type;
  const says = alertKind(known).message({ name: "…", value: null, threshold: null, unit: "%" });
  return `${type} ("${says}")`;
}

/** Names, plates and searches have at most this many characters. */
const maxNameLength = 200;

export interface UnderstoodArguments {
  readonly meant: RpcParams;
  /** Arguments that stay as they are, because the key may not look up what there is. */
  readonly unchecked: readonly string[];
}

/** The arguments as the route takes them. */
export async function understood(
  { parameters }: Tool,
  given: RpcParams,
  read: ReadNamedRows,
): Promise<UnderstoodArguments> {
  const meant: Record<string, string> = {};
  const unchecked: string[] = [];
  for (const [argument, understand] of Object.entries(namedThings)) {
    const said = text(given[argument]).trim();
    const isAsked = parameters.some((parameter) => parameter.name === argument);
    if (!isAsked || said === "" || said.length > maxNameLength) continue;
    let isRefused = false;
    const value = await understand(argument, said, async (...list) => {
      const rows = await read(...list);
      isRefused ||= rows === null;
      return rows;
    });
    if (value !== null) meant[argument] = value;
    else if (isRefused) unchecked.push(argument);
  }
  return { meant: { ...given, ...meant }, unchecked };
}
