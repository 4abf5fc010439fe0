import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { namesInSight, type SeenNames } from "../../store/fleet/names.ts";
import {
  type ListFormats,
  type NameField,
  parsedRecords,
  type ShownFields,
  type ShownRecord,
} from "../formats/format.ts";
import { nameFields } from "../formats/shown-fields.ts";
import type { RouteCall } from "../route.ts";

/** How a list shows its records: what of them, with which names, in which format. `fields` is the parameter's value. */
export function recordsShown(
  call: Pick<RouteCall, "database" | "visibility" | "input" | "format">,
  formats: ListFormats,
  fields: string | null,
  hasNames: boolean,
): Pick<RouteCall, "shown" | "withNames" | "open"> {
  const { database, visibility, input, format } = call;
  const shown = formats.shown(fields, hasNames, input);
  return {
    shown,
    withNames: (records) => withNames(database, visibility, shown, records),
    open: () => formats.open(format, input, { shown }),
  };
}

async function withNames(database: Reader, visibility: Visibility, shown: ShownFields, json: string): Promise<string> {
  if (shown.names.length === 0 || json === "") return json;
  const records = parsedRecords(json);
  // What records have by themselves stays as it is.
  const missing = shown.names.filter((name) => !records.some((record) => name in record));
  if (missing.length === 0) return json;
  const names = await namesOf(database, visibility, records, missing);
  return JSON.stringify(records.map((record) => ({ ...record, ...namesBeside(record, names, missing) }))).slice(1, -1);
}

function namesOf(
  reader: Reader,
  visibility: Visibility,
  records: readonly ShownRecord[],
  missing: readonly NameField[],
): Promise<SeenNames> {
  const wanted = (...names: readonly NameField[]): readonly string[] => {
    if (!names.some((name) => missing.includes(name))) return [];
    const ids = records.map((record) => idBeside(record, names[0] as NameField)).filter((id) => id !== null);
    return [...new Set(ids)];
  };
  return namesInSight(reader, visibility, {
    devices: wanted("device_name", "plate"),
    geofences: wanted("geofence_name"),
    users: wanted("user_name"),
  });
}

function namesBeside(record: ShownRecord, names: SeenNames, missing: readonly NameField[]): ShownRecord {
  const nameOf: Readonly<Record<NameField, (id: string) => string | null | undefined>> = {
    device_name: (id) => names.devices.get(id)?.name,
    plate: (id) => names.devices.get(id)?.plate,
    geofence_name: (id) => names.geofences.get(id)?.name,
    user_name: (id) => names.users.get(id)?.name,
  };
  return Object.fromEntries(
    missing.map((name) => {
      const id = idBeside(record, name);
      return [name, (id !== null && nameOf[name](id)) || null];
    }),
  );
}

/** The id that a name stands beside; null if the record has none. */
function idBeside(record: ShownRecord, name: NameField): string | null {
  const { ids } = nameFields.find(({ names }) => names.includes(name)) ?? { ids: [] };
  const id = ids.map((field) => record[field]).find((value) => typeof value === "string");
  return typeof id === "string" ? id : null;
}
