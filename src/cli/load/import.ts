import { Failure } from "../../domain/errors.ts";
import { usualEarliestMs } from "../../domain/quality/clock.ts";
import { quantity } from "../../domain/text/text.ts";
import { speedUnits } from "../../intake/formats/units.ts";
import { FrameStorer, type FrameTally } from "../../intake/frame-storer.ts";
import type { ImportedPoint } from "../../intake/incoming-frame.ts";
import { FrameQueue } from "../../intake/queue.ts";
import { withoutStored } from "../../intake/skip-stored.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { inputFile } from "../common/input-file.ts";
import { imeiOption, instantOption, oneOfOption, textOption, wrongOption } from "../common/options.ts";
import { derivePending } from "../store/derive-pending.ts";
import { deviceOfImei, withStore } from "../store/open-store.ts";
import { readTrack } from "./read-track.ts";

export const importCommand = command({
  name: "import",
  summary: "import a GPX or CSV track as frames of a device",
  details: [
    "FILE is a GPX file, or a table with a header row (CSV); - reads standard input. docs/ingest.md lists the",
    "columns.",
    "A point counts as received when it was recorded. A wrong row is reported with its line and left out.",
    "Importing a file again changes nothing.",
  ].join("\n"),
  arguments: ["FILE|-"],
  options: [
    { name: "imei", placeholder: "IMEI", help: "the device that drove it", required: true },
    {
      name: "speed-unit",
      placeholder: "UNIT",
      help: `unit of a column that is only called speed: ${speedUnits.join(", ")} (default: kmh)`,
    },
    {
      name: "earliest",
      placeholder: "DATE",
      help: "believe times from this date on, for tracks from before 2015 (default: 2015-01-01)",
    },
    jsonOption,
  ],
  run: importTrack,
});

/** More would be of no further help. */
const maxRowsReported = 20;

async function importTrack(call: CommandCall): Promise<void> {
  const [path = "-"] = call.arguments;
  const imei = imeiOption(call, "imei") ?? "";
  const speedUnit = oneOfOption(call, "speed-unit", speedUnits);
  const earliestMs = readEarliest(call);
  // A wrong setting must be reported before anything is read.
  call.settings();
  const input = await inputFile(path);
  const { progress } = call.terminal;
  let underived: unknown = null;
  const tally = await withStore(call, async (database) => {
    const device = await deviceOfImei(database, imei);
    const writer = new FrameQueue(database, () => {});
    const points = readTrack(input, path, { imei, speedUnit }, (done, total) => progress("importing", done, total));
    let unchanged = 0;
    const missing = withoutStored(database, device, points, () => unchanged++);
    const done = await storePoints(writer, device.accountId, missing, earliestMs, call);
    // The frames are stored: that is said first.
    const concerns = (accountId: number) => accountId === device.accountId;
    await derivePending(database, writer, call.terminal, { concerns }).catch((error) => {
      underived = error;
    });
    return { ...done, unchanged: done.unchanged + unchanged };
  });
  if (tally.added + tally.unchanged === 0) throw new Failure("FILE_UNREADABLE", `${path} holds nothing to import`);
  const { added, unchanged, refused } = tally;
  const text = `${quantity(added, "frame")} added, ${unchanged} there already, ${quantity(refused, "row")} left out`;
  call.terminal.out(call.options.json ? JSON.stringify(tally) : text);
  if (underived !== null) throw underived;
}

async function storePoints(
  writer: FrameQueue,
  accountId: number,
  points: AsyncIterable<ImportedPoint>,
  earliestMs: number,
  { terminal }: CommandCall,
): Promise<FrameTally> {
  const onRefused = (line: number, reason: string) => {
    if (storer.tally.refused <= maxRowsReported) terminal.note(`odograph: line ${line}: ${reason}`);
  };
  const storer: FrameStorer = new FrameStorer(writer, onRefused, { earliestMs });
  try {
    for await (const point of points) {
      if ("reason" in point) storer.refuse(point.line, point.reason);
      else storer.add(accountId, point.line, point.frame);
      if (storer.isFull) await storer.flush();
    }
  } finally {
    // What comes before the place where a file is broken is stored.
    await storer.flush();
  }
  const unreported = storer.tally.refused - maxRowsReported;
  if (unreported > 0) terminal.note(`odograph: and ${unreported} more`);
  return storer.tally;
}

/** GPS began: no position is older. */
const beginningOfGpsMs = Date.UTC(1980, 0, 6);

function readEarliest(call: CommandCall): number {
  const earliestMs = instantOption(call, "earliest") ?? usualEarliestMs;
  if (earliestMs >= beginningOfGpsMs && earliestMs <= usualEarliestMs) return earliestMs;
  throw wrongOption("earliest", "a date from 1980-01-06 to 2015-01-01", textOption(call, "earliest"));
}
