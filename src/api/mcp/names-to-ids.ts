import { Failure } from "../../domain/errors.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import type { Route } from "../route.ts";
import { listDevices } from "../routes/devices.ts";
import { listGeofences } from "../routes/geofences.ts";
import type { RpcParams } from "./message.ts";
import type { Tool } from "./tools.ts";

interface Named {
  readonly id: string;
  /** What it may be called. The first is its name. */
  readonly names: readonly string[];
}

/** Reads the rows that a list has for a query, if the key may call it; null if it may not. */
export type ReadNamedRows = (
  route: Route,
  query: Readonly<Record<string, string>>,
) => Promise<readonly Readonly<Record<string, unknown>>[] | null>;

const text = (value: unknown) => (typeof value === "string" ? value : "");

/** Arguments that are ids, and how a model may name the thing instead: it need not look the id up first. */
const namedThings: Readonly<
  Record<string, (name: string, read: ReadNamedRows) => Promise<readonly Named[] | undefined>>
> = {
  device_id: async (name, read) => {
    const rows = await read(listDevices, { search: name });
    return rows?.map((row) => ({ id: text(row.device_id), names: [row.name, row.plate, row.imei].map(text) }));
  },
  geofence_id: async (name, read) => {
    const rows = await read(listGeofences, {});
    const fences = rows?.map((row) => ({ id: text(row.geofence_id), names: [text(row.name)] }));
    return fences?.filter(({ names: [own = ""] }) => own.toLowerCase().includes(name.toLowerCase()));
  },
};

/** A model can choose among this many. */
const maxChoices = 10;
/** Names, plates and searches have at most this many characters. */
const maxNameLength = 200;

/** The arguments with ids in the place of names. A key that may not list the things names them by their ids. */
export async function withIds({ parameters }: Tool, given: RpcParams, read: ReadNamedRows): Promise<RpcParams> {
  const ids: Record<string, string> = {};
  for (const [argument, find] of Object.entries(namedThings)) {
    const name = text(given[argument]).trim();
    const isAsked = parameters.some((parameter) => parameter.name === argument);
    if (!isAsked || name === "" || name.length > maxNameLength || isUuid(name)) continue;
    const found = await find(name, read);
    if (found) ids[argument] = chosen(argument, name, found);
  }
  return { ...given, ...ids };
}

function chosen(argument: string, name: string, found: readonly Named[]): string {
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const exact = found.filter(({ names }) => names.some(same));
  const candidates = exact.length > 0 ? exact : found;
  const [first] = candidates;
  if (!first)
    throw new Failure("NOT_FOUND", `${argument}: nothing that the key can see is called ${JSON.stringify(name)}`);
  if (candidates.length === 1) return first.id;
  const shown = candidates.slice(0, maxChoices).map(({ id, names: [own] }) => `${own} (${id})`);
  const rest = candidates.length > maxChoices ? `, and ${candidates.length - maxChoices} more` : "";
  throw new Failure(
    "INVALID_REQUEST",
    `${argument}: several match ${JSON.stringify(name)}: ${shown.join(", ")}${rest}`,
  );
}
