import { extname } from "node:path";
import { activeUser } from "../../access/active-user.ts";
import { exportListNames } from "../../api/export/lists.ts";
import { type ExportPlace, type ExportRequest, exportParts, openDocument, routeOf } from "../../api/export/pages.ts";
import type { FormatName, ListFormats } from "../../api/formats/format.ts";
import { readInput } from "../../api/input/read-input.ts";
import { routeDeps } from "../../api/route-deps.ts";
import { Failure } from "../../domain/errors.ts";
import { quantity } from "../../domain/text/text.ts";
import { type Visibility, visibilityOf } from "../../domain/visibility.ts";
import type { Observe } from "../../observe/observation.ts";
import type { Database, Reader } from "../../store/database.ts";
import { someOwners } from "../../store/fleet/users.ts";
import { type CommandCall, command } from "../common/command.ts";
import { textOption } from "../common/options.ts";
import { type ExportTarget, exportTarget } from "../common/output-file.ts";
import { openReplica, withStore } from "../store/open-store.ts";
import { chosenList, exportPath, exportProgress, exportWindows, filterQuery } from "./export-lists.ts";
import {
  directOutput,
  type ExportOutput,
  type ExportState,
  fileOutput,
  readExportState,
  standardOutput,
} from "./export-output.ts";
import { writeParquet } from "./export-parquet.ts";

export const exportCommand = command({
  name: "export",
  summary: "write a whole list to a file, in any format of the API",
  details: [
    `LIST is one of ${exportListNames.slice(0, 9).join(", ")},`,
    `${exportListNames.slice(9).join(", ")}.`,
    "Writes what the API shows a user: all pages, and windows of any length. Without --output it goes to standard output.",
    "While it is being written, a file is called FILE.part. An interrupted export goes on with the same call and --resume.",
    "docs/formats.md describes the formats. A server may be running.",
  ].join("\n"),
  arguments: ["LIST"],
  options: [
    {
      name: "format",
      placeholder: "FORMAT",
      help: "json, csv, ndjson, geojson, gpx, parquet (default: by FILE, or json)",
    },
    { name: "output", placeholder: "FILE", help: "the file to write (default: standard output)" },
    { name: "resume", help: "go on with an interrupted export to FILE" },
    { name: "from", placeholder: "TIME", help: "start of the window, included; lists of what happened need it" },
    { name: "to", placeholder: "TIME", help: "end of the window, not included (default: now)" },
    { name: "time", placeholder: "TIME", help: "of positions-at: the moment, which they need" },
    { name: "max-age", placeholder: "SECONDS", help: "of positions-at: how old a position may be (default: 3600)" },
    { name: "imei", placeholder: "IMEI", help: "only this device; positions need it" },
    { name: "kind", placeholder: "KIND", help: "of readings: fuel, temperature or tyre" },
    { name: "rejected", help: "of positions: also those that the quality filter rejected" },
    { name: "status", placeholder: "STATUS", help: "of devices: only those of this status" },
    { name: "search", placeholder: "TEXT", help: "of devices: part of the name, IMEI or plate" },
    { name: "driver-id", placeholder: "TAG", help: "of trips: only those with this driver's tag or card" },
    { name: "geofence-id", placeholder: "ID", help: "of stops: only those in this geofence" },
    { name: "min-duration", placeholder: "SECONDS", help: "of stops: only those that lasted so long" },
    { name: "severity", placeholder: "SEVERITY", help: "of alerts: info, warning or critical" },
    { name: "alert-type", placeholder: "TYPE", help: "of alerts: only this type" },
    { name: "acknowledged", placeholder: "BOOLEAN", help: "of alerts: true or false" },
    {
      name: "user",
      placeholder: "EMAIL",
      help: "whose view to export (default: the owner's, if there is one account)",
    },
    { name: "json", help: "with --output: print what was done as an object for scripts" },
  ],
  run: exportList,
});

async function exportList(call: CommandCall): Promise<void> {
  const { name, list } = chosenList(call);
  const path = exportPath(call, list);
  const { formats } = routeOf(path).route;
  const file = textOption(call, "output");
  const format = chosenFormat(call, formats, file);
  const target = file === null ? null : await exportTarget(file);
  for (const [option, isGiven] of [
    ["resume", call.options.resume],
    ["format parquet", format === "parquet"],
  ] as const) {
    if (isGiven && file === null) throw new Failure("WRONG_CALL", `--${option} needs --output`);
    if (isGiven && target?.isDirect) {
      throw new Failure("WRONG_CALL", `--${option} needs a regular file, ${file} is a device or a pipe`);
    }
  }
  const options = meaningOf(call, format);
  const continued = call.options.resume && target !== null ? await stateFor(target.path, options) : null;
  const now = continued?.now ?? Date.now();
  const windows = exportWindows(call, list, now);
  // A person who runs the command has the store itself.
  const checkAccess = async () => {};
  const request = { list, path, filters: filterQuery(call, list), windows, now, checkAccess };
  const records = await withStore(call, async (database) => {
    const visibility = await viewer(database, call);
    const convert = format === "parquet" ? parquetConversion(path) : null;
    const output = await outputTo(target, continued, convert);
    try {
      // Records wait in lines for the whole file.
      const written = format === "parquet" ? "ndjson" : format;
      return await write(database, visibility, request, written, output, { call, options, continued });
    } finally {
      await output.close().catch(() => {});
    }
  });
  if (file === null) return;
  const done = { file, list: name, format, records };
  call.terminal.out(call.options.json ? JSON.stringify(done) : `${quantity(records, "record")} in ${file}`);
}

async function outputTo(
  target: ExportTarget | null,
  continued: ExportState | null,
  convert: ((from: string, to: string) => Promise<void>) | null,
): Promise<ExportOutput> {
  if (target === null) return standardOutput();
  return target.isDirect ? directOutput(target.path) : fileOutput(target.path, continued, convert);
}

interface Writing {
  readonly call: CommandCall;
  readonly options: ExportState["call"];
  readonly continued: ExportState | null;
}

/** Returns how many records the export has. */
async function write(
  database: Database,
  visibility: Visibility,
  request: ExportRequest,
  format: FormatName,
  output: ExportOutput,
  { call, options, continued }: Writing,
): Promise<number> {
  const start = continued?.place ?? { window: 0, cursor: null };
  let records = continued?.records ?? 0;
  const replica = await openReplica(database, call.settings(), replicaShown(call));
  const deps = await routeDeps(database, replica);
  const document = openDocument(request.path, format, continued?.hasRecords);
  const progress = exportProgress(call, request);
  const save = (place: ExportPlace, isRequired = false) =>
    output.save({ call: options, now: request.now, place, records, hasRecords: document.hasRecords }, isRequired);
  const ending = endOnSignal();
  try {
    let isBegun = continued !== null;
    for await (const part of exportParts(deps, visibility, request, start)) {
      // Not before the first part: a wrong request leaves nothing behind.
      if (!isBegun) {
        await output.write(document.start);
        await save(start);
        isBegun = true;
      }
      if (part.records.length > 0) await output.write(document.records(part.records.join(",")));
      records += part.records.length;
      progress(part);
      if (part.next === null || part.next === "end") continue;
      await save(part.next, ending.isWanted());
      if (ending.isWanted()) throw new Failure("REFUSED", interrupted(call, output));
    }
    await output.write(document.end(null));
    await output.finish();
    return records;
  } finally {
    ending.forget();
    await replica?.close();
  }
}

/** An operator who names a replica wants to know why the export reads from the primary. */
function replicaShown({ terminal }: CommandCall): Observe {
  return (seen) => {
    if (seen.kind === "replica_left")
      terminal.note(`reading from the primary, not from ${seen.replica}: ${seen.reason}`);
  };
}

/** The first interrupt ends the export between two pages; a second one ends the program. */
function endOnSignal(): { isWanted(): boolean; forget(): void } {
  let isWanted = false;
  const onSignal = () => {
    isWanted = true;
    forget();
  };
  const forget = () => {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return { isWanted: () => isWanted, forget };
}

function interrupted(call: CommandCall, { canBeContinued }: ExportOutput): string {
  const file = textOption(call, "output");
  return canBeContinued ? `interrupted; the same call with --resume goes on with ${file}` : "interrupted";
}

/** Parquet is no format of the API: it has its index at its end, so a page of it would be a file of its own. */
type ExportFormat = FormatName | "parquet";

const formatByExtension: Readonly<Record<string, ExportFormat>> = {
  ".json": "json",
  ".csv": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".geojson": "geojson",
  ".gpx": "gpx",
  ".parquet": "parquet",
};

function chosenFormat(call: CommandCall, formats: ListFormats | undefined, file: string | null): ExportFormat {
  const offered: readonly ExportFormat[] = [...(formats?.offered ?? []), "parquet"];
  const text = textOption(call, "format");
  const extension = extname(file ?? "");
  const wanted = text ?? (extension === "" ? "json" : formatByExtension[extension.toLowerCase()]);
  const format = offered.find((name) => name === wanted);
  if (format) return format;
  const got = text === null ? `a file called ${extension}` : `"${text}"`;
  throw new Failure(
    "WRONG_CALL",
    `--format: expected one of ${offered.join(", ")} for ${call.arguments[0]}, got ${got}`,
  );
}

/** The parts of the call that decide what is in the file. */
function meaningOf({ arguments: [list = ""], options }: CommandCall, format: ExportFormat): Record<string, string> {
  const { output: _, resume: __, json: ___, data: ____, ...meant } = options;
  const texts = Object.entries(meant).map(([name, value]) => [name, String(value)]);
  return { ...Object.fromEntries(texts.toSorted()), list, format };
}

function parquetConversion(path: string): (from: string, to: string) => Promise<void> {
  const { route, values } = routeOf(path);
  const schema = route.formats?.schemaOf(readInput(route.parameters, values, "").input);
  if (!schema) throw new Error(`${path} is no list`);
  return (from, to) => writeParquet(schema, from, to);
}

async function stateFor(file: string, options: ExportState["call"]): Promise<ExportState> {
  const state = await readExportState(file);
  if (Bun.deepEquals(state.call, options)) return state;
  const names = Object.keys({ ...state.call, ...options }).filter((name) => state.call[name] !== options[name]);
  const expected = names.map((name) => `${name} ${state.call[name] ?? "absent"}`).join(", ");
  throw new Failure("WRONG_CALL", `--resume: the interrupted export of ${file} was called with ${expected}`);
}

async function viewer(reader: Reader, call: CommandCall): Promise<Visibility> {
  const email = textOption(call, "user");
  const user = email === null ? await onlyOwner(reader) : await activeUser(reader, email);
  return visibilityOf({ accountId: user.account_id, id: user.id, role: user.role });
}

async function onlyOwner(reader: Reader) {
  const [owner, another] = await someOwners(reader, 2);
  if (!owner) throw new Failure("NOT_FOUND", "there is no account yet: load a fleet file first");
  if (another)
    throw new Failure("WRONG_CALL", "--user is missing: the store has several accounts, so name whose view to export");
  return owner;
}
