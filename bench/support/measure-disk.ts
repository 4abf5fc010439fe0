import { monthFrames } from "./filled-store.ts";
import { type Measure, printHead, printRow } from "./measure.ts";
import { openRaw } from "./raw-store.ts";

const shownBytes = 0.05;

/** Bytes a frame of each table with its indexes. Tables that are nothing beside the frames are left out. */
export const measureDisk: Measure = async (stores) => {
  const perFrame = await Promise.all(
    stores.map(async ({ target, size }) => {
      const raw = openRaw(target);
      const tables = await raw.bytesByTable();
      await raw.close();
      const frames = size.frames + (size.hasMonth ? monthFrames : 0);
      return new Map(Array.from(tables, ([table, bytes]) => [table, bytes / frames]));
    }),
  );
  printHead("disk, bytes a frame", stores);
  for (const table of new Set(perFrame.flatMap((tables) => [...tables.keys()]))) {
    const bytes = perFrame.map((tables) => tables.get(table) ?? 0);
    if (bytes.every((each) => each < shownBytes)) continue;
    printRow(
      table,
      bytes.map((each) => each.toFixed(1)),
    );
  }
  const sums = perFrame.map((tables) => [...tables.values()].reduce((sum, each) => sum + each, 0));
  printRow(
    "all tables",
    sums.map((sum) => sum.toFixed(1)),
  );
};
