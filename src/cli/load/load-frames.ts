import { Failure } from "../../domain/errors.ts";
import type { FleetFile } from "../../fleet/parse/fleet-file.ts";
import { parseFrameLine } from "../../fleet/parse/parse.ts";
import { readCanonicalFrame } from "../../intake/formats/canonical.ts";
import type { FrameQueue } from "../../intake/queue.ts";
import type { Database } from "../../store/database.ts";
import { directoryByImei } from "../../store/fleet/device-writes.ts";
import type { Terminal } from "../common/command.ts";
import type { ByteSource } from "../common/input-file.ts";
import { FrameStorer, type FrameTally } from "../serving/frame-storer.ts";
import { readLines } from "./read-lines.ts";

/**
 * Stores the frames of a fleet file that was read and checked before. There may be millions, so they are not all or
 * nothing: if it is interrupted, load the file again. `tally` grows with what is stored.
 */
export async function loadFrames(
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
