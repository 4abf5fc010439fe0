import { Failure } from "../domain/errors.ts";
import { quantity } from "../domain/text.ts";
import type { SpeedUnit } from "../intake/formats/units.ts";
import { speedUnits } from "../intake/formats/units.ts";
import type { ImportedPoint } from "../intake/incoming-frame.ts";
import { FrameQueue } from "../intake/queue.ts";
import type { Call, Command } from "./command.ts";
import { derivePending } from "./derive-pending.ts";
import { deviceOfImei } from "./device-of-imei.ts";
import { FrameStorer, type FrameTally } from "./frame-storer.ts";
import { inputFile } from "./input-file.ts";
import { withStore } from "./open-store.ts";
import { requiredImei, textOption } from "./options.ts";
import { readTrack } from "./read-track.ts";

export const importCommand: Command = {
  name: "import",
  summary: "import a GPX or CSV track as frames of a device",
  details: [
    "FILE is a GPX file, or a table with a header row (CSV); - reads standard input. docs/ingest.md lists the columns.",
    "The name decides which of the two it is (.gpx, .csv, .tsv, .txt), or else the content.",
    "A point counts as received when it was recorded. A wrong row is reported with its line and left out.",
    "Importing a file again changes nothing.",
  ].join("\n"),
  actions: [
    {
      name: null,
      arguments: ["FILE|-"],
      summary: "import a GPX or CSV track as frames of a device",
      options: [
        { name: "imei", placeholder: "IMEI", help: "the device that drove it", required: true },
        {
          name: "speed-unit",
          placeholder: "UNIT",
          help: `unit of a column that is only called speed: ${speedUnits.join(", ")} (default: kmh)`,
        },
        { name: "json", help: "print what was done as an object for scripts" },
      ],
      settings: [],
      run,
    },
  ],
};

/** More would be of no further help. */
const maxRowsReported = 20;

async function run(call: Call): Promise<void> {
  const [path = "-"] = call.arguments;
  const imei = requiredImei(call, "imei");
  const speedUnit = readSpeedUnit(textOption(call, "speed-unit"));
  const { store } = call.settings();
  const input = await inputFile(path);
  const { progress } = call.terminal;
  const tally = await withStore(store, { create: false }, async (database) => {
    const { accountId } = await deviceOfImei(database, imei);
    const writer = new FrameQueue(database, () => {});
    const points = readTrack(input, path, { imei, speedUnit }, (done, total) => progress("importing", done, total));
    const done = await storePoints(writer, accountId, points, call);
    await derivePending(database, writer, call.terminal);
    return done;
  });
  if (tally.added + tally.unchanged === 0) throw new Failure("FILE_UNREADABLE", `${path} holds nothing to import`);
  const { added, unchanged, refused } = tally;
  const text = `${quantity(added, "frame")} added, ${unchanged} there already, ${quantity(refused, "row")} left out`;
  call.terminal.out(call.options.json ? JSON.stringify(tally) : text);
}

async function storePoints(
  writer: FrameQueue,
  accountId: number,
  points: AsyncIterable<ImportedPoint>,
  { terminal }: Call,
): Promise<FrameTally> {
  const storer = new FrameStorer(writer, (line, reason) => {
    if (storer.tally.refused <= maxRowsReported) terminal.note(`odograph: line ${line}: ${reason}`);
  });
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

function readSpeedUnit(text: string | null): SpeedUnit | null {
  const unit = speedUnits.find((known) => known === text) ?? null;
  if (text === null || unit !== null) return unit;
  throw new Failure("WRONG_CALL", `--speed-unit: expected one of ${speedUnits.join(", ")}, got "${text}"`);
}
