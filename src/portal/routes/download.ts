import { type ExportList, exportListNames, exportLists } from "../../api/export/lists.ts";
import { routeOf } from "../../api/export/pages.ts";
import { type WindowEnd, windowsBetween } from "../../api/export/windows.ts";
import { type FormatName, formatNames } from "../../api/formats/format.ts";
import { sensorKinds } from "../../domain/frame.ts";
import { isUuid } from "../../domain/text/identifiers.ts";
import { dayMs, formatInstant, parseInstant } from "../../domain/time/time.ts";
import { storedZone, utc, type Zone } from "../../domain/time/time-zone.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { Reader } from "../../store/database.ts";
import { accountZones } from "../../store/fleet/accounts.ts";
import { visibleDevice } from "../../store/fleet/devices.ts";
import { invalidFields, nothingHere } from "../refusals.ts";
import { fileCall, portalRoute } from "../route.ts";

/** A fleet has hardly more years of data; a wrong year must not cost thousands of queries. */
const maxSpanMs = 3_660 * dayMs;

/** What every list takes. */
const general = ["format", "from", "to", "device_id", "tag"];

/**
 * A whole list of what happened as a file, as `odograph export` writes it, with what the user sees: `format`, `from`, `to`, the
 * filters of the list, and any number of `device_id` and `tag`. Of trips only those that began in the window, so that no trip is
 * in the files of two days. Of stops all that overlap it: a person who asks where a vehicle was wants the night before, too.
 */
export const downloadList = portalRoute("GET /download/{list}", "signed in", async (call) => {
  const { parts, values, query, now } = call;
  const { visibility } = call.session;
  const name = exportListNames.find((known) => known === values[0]);
  if (name === undefined || exportLists[name].window === null) throw nothingHere();
  const list: ExportList = exportLists[name];
  const { kind, from, to, ...wanted } = readDownload(new URLSearchParams(query), list, now);
  const { present } = await accountZones(parts.database, visibility.accountId);
  const chosen = await chosenNames(parts.database, visibility, wanted);
  return parts.api.answerExport({
    ...wanted,
    list,
    windows: windowsBetween(list, from, to),
    onlyBegun: name !== "stops",
    now,
    ...fileCall(call),
    fileName: fileName([kind ?? name, ...chosen], wanted.format, { from, to }, storedZone(present)),
  });
});

function readDownload(query: URLSearchParams, list: ExportList, now: number) {
  const problems: Record<string, string> = {};
  const kind = list.path.includes("{kind}") ? oneOf("kind", sensorKinds, true) : null;
  const listPath = list.path.replace("{kind}", kind ?? sensorKinds[0]);
  const format = oneOf("format", routeOf(listPath).route.formats?.offered ?? formatNames) ?? "csv";
  const deviceIds = [...new Set(query.getAll("device_id").map((id) => id.toLowerCase()))];
  const filters = filtersOf(list);
  const known = [...general, ...filters, ...(kind === null ? [] : ["kind"])];
  for (const name of query.keys())
    if (!known.includes(name)) problems[name] = `expected no such parameter, only ${known.join(", ")}`;
  if (!deviceIds.every(isUuid)) problems.device_id = "expected the id of a vehicle";
  else if (list.required?.includes("imei") && deviceIds.length !== 1) problems.device_id = "expected one vehicle";
  const from = moment("from");
  const to = moment("to") ?? { at: now, text: null };
  if (from === null) problems.from ??= "expected a time";
  else if (to.at <= from.at) problems.from ??= "expected a time earlier than `to`, which is now unless named";
  else if (to.at - from.at > maxSpanMs) problems.from ??= "expected at most ten years before `to`";
  if (from === null || Object.keys(problems).length > 0) throw invalidFields(problems);
  return {
    kind,
    path: listPath,
    format,
    deviceIds,
    tags: [...new Set(query.getAll("tag"))],
    filters: Object.fromEntries(filters.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : []))),
    from,
    to,
  };

  function oneOf<T extends string>(name: string, known: readonly T[], isRequired = false): T | null {
    const text = query.get(name);
    const value = known.find((candidate) => candidate === text) ?? null;
    if (value === null && (text !== null || isRequired)) problems[name] = `expected one of ${known.join(", ")}`;
    return value;
  }

  function moment(name: string): WindowEnd | null {
    const text = query.get(name);
    const at = text === null ? null : parseInstant(text);
    if (text !== null && at === null) problems[name] = "expected a time";
    return at === null ? null : { at, text };
  }
}

/** The parameters of the API that narrow the list. Devices have their own. */
function filtersOf({ filters }: ExportList): readonly string[] {
  return Object.values(filters).filter((name) => name !== "" && name !== "imei");
}

/**
 * What a file is of, if not of all vehicles: two files must not look the same. A vehicle out of sight has no name; the list says
 * so.
 */
async function chosenNames(
  reader: Reader,
  visibility: Visibility,
  { tags, deviceIds }: { readonly tags: readonly string[]; readonly deviceIds: readonly string[] },
): Promise<string[]> {
  const [tag = ""] = tags;
  const [id = ""] = deviceIds;
  const ofTags = tags.length === 1 ? plain(tag) || "1-tag" : `${tags.length}-tags`;
  const device = deviceIds.length === 1 ? await visibleDevice(reader, visibility, { id }) : null;
  const ofVehicles = device === null ? `${deviceIds.length}-vehicles` : plain(device.name) || plain(device.imei);
  return [...(tags.length === 0 ? [] : [ofTags]), ...(deviceIds.length === 0 ? [] : [ofVehicles])];
}

const maxNameLength = 24;

/** In a few characters that every system takes in the name of a file. */
function plain(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9]+/g, "-");
  return letters.replace(/^-/, "").slice(0, maxNameLength).replace(/-$/, "");
}

const dateLength = "YYYY-MM-DD".length;

/** `trips_cold_2026-11-01_2026-11-15.csv`: the first and the last day in the account's zone. */
function fileName(
  what: readonly string[],
  format: FormatName,
  { from, to }: Record<"from" | "to", WindowEnd>,
  zone: Zone,
): string {
  // A date alone is a day already.
  const dayOf = ({ at, text }: WindowEnd, back: number) =>
    formatInstant((text?.length === dateLength ? utc : zone).dayOf(at - back) * dayMs).slice(0, dateLength);
  const days = new Set([dayOf(from, 0), dayOf(to, 1)]);
  return `${[...what, ...days].join("_")}.${format}`;
}
