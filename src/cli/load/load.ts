import { Failure } from "../../domain/errors.ts";
import type { LoadSummary } from "../../fleet/apply/apply.ts";
import { loadFleet } from "../../fleet/apply/load.ts";
import type { FleetFile } from "../../fleet/parse/fleet-file.ts";
import { collectFleet, parseFrameLine } from "../../fleet/parse/parse.ts";
import { readCanonicalFrame } from "../../intake/formats/canonical.ts";
import { FrameStorer, type FrameTally } from "../../intake/frame-storer.ts";
import { FrameQueue } from "../../intake/queue.ts";
import type { Database, Reader } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { directoryById, directoryByImei } from "../../store/fleet/device-writes.ts";
import { type CommandCall, command, jsonOption, type Terminal } from "../common/command.ts";
import { type ByteSource, type InputFile, inputFile } from "../common/input-file.ts";
import { textTable } from "../common/table.ts";
import { derivePending } from "../store/derive-pending.ts";
import { withStore } from "../store/open-store.ts";
import { LineSpool } from "./line-spool.ts";
import { readLines } from "./read-lines.ts";

export const loadCommand = command({
  name: "load",
  summary: "load a fleet file: accounts, users, devices, drivers, geofences, alert settings, frames",
  details: [
    "FILE holds one JSON object per line, each with a `type`; - reads standard input. docs/fleet-file.md lists the fields.",
    "If a line is wrong, nothing is stored, and the error names the line and what was expected.",
    "A line is the whole record: fields that it leaves out are unset (except a password). Loading a file again changes",
    "nothing. A rule that cannot apply, because its device is assigned to none of its geofences, is stored with a warning.",
    "Frames are stored after the fleet, some thousands at a time: if that is interrupted, load the file again.",
  ].join("\n"),
  actions: [
    {
      arguments: ["FILE|-"],
      summary: "load a fleet file, all of it or nothing; then its frames",
      options: [
        { name: "take-over", help: "store the file also where a person has changed the record in the portal" },
        jsonOption,
      ],
      run: loadFile,
    },
  ],
});

async function loadFile(call: CommandCall): Promise<void> {
  const [path = "-"] = call.arguments;
  const { terminal } = call;
  // A wrong setting must be reported before a long file is read.
  call.settings();
  const now = Date.now();
  const input = await inputFile(path);
  const spool = input.isRepeatable ? null : await LineSpool.open();
  try {
    const file = await readFleetFile(input, spool, now, terminal);
    for (const [field, { line, count }] of file.unknownFields) {
      terminal.note(`odograph: ${field} is not known and was left out (line ${line}, ${count} in all)`);
    }
    const store = async (database: Database) => {
      const warn = (warning: string) => terminal.note(`odograph: warning: ${warning}`);
      const takeOver = call.options["take-over"] === true;
      const options = { onProgress: terminal.progress, onWarning: warn, takeOver };
      const fleet = await loadFleet(database, file, now, options);
      // From here on the fleet is stored: whatever fails, that is said.
      const writer = new FrameQueue(database, () => {});
      const frames: FrameTally = { added: 0, unchanged: 0, refused: 0 };
      const failed = (error: unknown) => error;
      // Whatever could not be derived is tried once more at the end.
      const own = await accountsOfFile(database, file);
      const which = { concerns: (accountId: number) => own.has(accountId) };
      if (file.frames.count > 0) await derivePending(database, writer, terminal, which).catch(() => {});
      const source = spool?.source() ?? input;
      const notLoaded = await loadFrames(database, writer, file, source, now, terminal, frames).then(
        () => null,
        failed,
      );
      const late = await derivePending(database, writer, terminal, which).then(() => null, failed);
      const summary = { ...fleet, frames };
      terminal.out(call.options.json ? JSON.stringify(summary) : summaryText(summary));
      if (notLoaded !== null) throw framesMissing(notLoaded);
      if (late !== null) throw late;
    };
    await withStore(call, store, { create: true });
  } finally {
    await spool?.close();
  }
}

/** Reads all lines once. There may be many frames, so they are spooled to disk, and only if the input cannot be read again. */
async function readFleetFile(
  input: InputFile,
  spool: LineSpool | null,
  now: number,
  terminal: Terminal,
): Promise<FleetFile> {
  const fleet = collectFleet((raw) => readCanonicalFrame(raw, now));
  for await (const { first, texts } of readLines(input, (done, total) => terminal.progress("reading", done, total))) {
    for (const [index, text] of texts.entries()) {
      const isFrame = fleet.add(first + index, text);
      // Other lines may hold passwords, so they are left blank. That way line numbers stay right.
      spool?.add(isFrame ? text : "");
    }
  }
  return fleet.finish();
}

/** The fleet is stored, and some of the frames. */
function framesMissing(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `the fleet is stored, but not all frames (${reason}): load the file again`;
  return new Failure(error instanceof Failure ? error.code : "INTERNAL", message, { cause: error });
}

function summaryText({ frames, ...fleet }: LoadSummary & { readonly frames: FrameTally }): string {
  const rows = Object.entries({ ...fleet, frames: { ...frames, changed: 0 } });
  return textTable(
    ["", "ADDED", "CHANGED", "UNCHANGED"],
    rows.map(([type, { added, changed, unchanged }]) => [
      type.replace("_", " "),
      ...[added, changed, unchanged].map(String),
    ]),
  );
}

/** The numbers of all accounts that a fleet file has something to do with, once it is loaded. */
export async function accountsOfFile(reader: Reader, file: FleetFile): Promise<ReadonlySet<number>> {
  const accounts = new Set(file.accounts.map(({ record }) => record.id));
  const devices = new Set<string>();
  for (const { record } of [...file.users, ...file.devices, ...file.drivers, ...file.geofences])
    accounts.add(record.account_id);
  for (const { record } of file.alertSettings) {
    if (record.scope.for === "device") devices.add(record.scope.deviceId);
    else accounts.add(record.scope.accountId);
  }
  const found = [
    ...(await accountsById(reader, accounts)),
    ...(await directoryById(reader, devices)),
    ...(await directoryByImei(reader, file.frames.firstLineByImei.keys())),
  ];
  return new Set(found.map(({ account_id }) => account_id));
}

/**
 * Stores the frames of a fleet file that was read and checked before. There may be millions, so they are not all or
 * nothing: if it is interrupted, load the file again. `tally` grows with what is stored.
 */
async function loadFrames(
  database: Database,
  writer: FrameQueue,
  { frames }: FleetFile,
  source: ByteSource,
  now: number,
  terminal: Terminal,
  tally: FrameTally,
): Promise<void> {
  const refusals = new Map<string, { line: number; count: number }>();
  const onRefused = (line: number, reason: string) => {
    const before = refusals.get(reason);
    refusals.set(reason, { line: before?.line ?? line, count: (before?.count ?? 0) + 1 });
  };
  const storer = new FrameStorer(writer, onRefused, { tally });
  if (frames.count === 0) return;
  const accountByImei = new Map(
    (await directoryByImei(database, frames.firstLineByImei.keys())).map(({ imei, account_id }) => [imei, account_id]),
  );
  let done = 0;
  for await (const { first, texts } of readLines(source)) {
    for (const [index, text] of texts.entries()) {
      const line = first + index;
      const raw = parseFrameLine(line, text);
      if (raw === null) continue;
      const frame = readCanonicalFrame(raw, now);
      if (typeof frame === "string") throw changedMeanwhile(line);
      const accountId = accountByImei.get(frame.imei);
      if (accountId === undefined) storer.refuse(line, "unknown_device");
      else storer.add(accountId, line, frame);
      done++;
      if (!storer.isFull) continue;
      await storer.flush();
      terminal.progress("storing frames", done, frames.count);
    }
  }
  await storer.flush();
  terminal.progress("storing frames", done, frames.count);
  for (const [reason, { line, count }] of refusals) {
    terminal.note(`odograph: frames were left out: ${reason} (line ${line}, ${count} in all)`);
  }
}

function changedMeanwhile(line: number): Failure {
  return new Failure("FLEET_FILE_INVALID", `line ${line}: the file changed while it was being loaded; load it again`);
}
