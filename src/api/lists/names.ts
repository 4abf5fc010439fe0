import type { Scope } from "../../domain/scopes.ts";
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
  call: Pick<RouteCall, "database" | "visibility" | "scopes" | "input" | "format">,
  formats: ListFormats,
  fields: string | null,
  hasNames: boolean,
): Pick<RouteCall, "shown" | "withNames" | "open"> {
  const { input, format } = call;
  const shown = formats.shown(fields, hasNames, input);
  return {
    shown,
    withNames: (records) => withNames(call, shown, records),
    open: () => formats.open(format, input, { shown }),
  };
}

type Viewer = Pick<RouteCall, "database" | "visibility" | "scopes">;

/** Who people are is for keys that may list them. Names of vehicles and fences are in many records anyway. */
const scopeForPeople: Scope = "users:read";

async function withNames(viewer: Viewer, shown: ShownFields, json: string): Promise<string> {
  if (shown.names.length === 0 || json === "") return json;
  const records = parsedRecords(json);
  // What records have by themselves stays as it is.
  const missing = shown.names.filter((name) => !records.some((record) => name in record));
  if (missing.length === 0) return json;
  const names = await namesOf(viewer, records, missing);
  return JSON.stringify(records.map((record) => ({ ...record, ...namesOfRecord(record, names, missing) }))).slice(
    1,
    -1,
  );
}

function namesOf(
  { database, visibility, scopes }: Viewer,
  records: readonly ShownRecord[],
  missing: readonly NameField[],
): Promise<SeenNames> {
  const wanted = (...names: readonly NameField[]): readonly string[] => {
    if (!names.some((name) => missing.includes(name))) return [];
    return [...new Set(names.flatMap((name) => records.flatMap((record) => idsBeside(record, name))))];
  };
  return namesInSight(database, visibility, {
    devices: wanted("device_name", "plate"),
    geofences: wanted("geofence_name", "geofence_names"),
    users: scopes.includes(scopeForPeople) ? wanted("user_name") : [],
  });
}

function namesOfRecord(record: ShownRecord, names: SeenNames, missing: readonly NameField[]): ShownRecord {
  const nameOf: Readonly<Record<NameField, (id: string) => string | null | undefined>> = {
    device_name: (id) => names.devices.get(id)?.name,
    plate: (id) => names.devices.get(id)?.plate,
    geofence_name: (id) => names.geofences.get(id)?.name,
    geofence_names: (id) => names.geofences.get(id)?.name,
    user_name: (id) => names.users.get(id)?.name,
  };
  return Object.fromEntries(
    missing.map((name) => {
      const found = idsBeside(record, name).flatMap((id) => nameOf[name](id) ?? []);
      return [name, name === "geofence_names" ? found : (found[0] ?? null)];
    }),
  );
}

/** The ids that a name stands beside, or names do. None if the record has none. */
function idsBeside(record: ShownRecord, name: NameField): readonly string[] {
  const { ids } = nameFields.find(({ names }) => names.includes(name)) ?? { ids: [] };
  const found = ids.map((field) => record[field]).find((value) => typeof value === "string" || Array.isArray(value));
  return [found ?? []].flat().filter((id) => typeof id === "string");
}
