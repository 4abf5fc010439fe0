import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { foreground } from "../../src/derive/pace.ts";
import { type Erased, eraseMarked } from "../../src/derive/upkeep/erase-marked.ts";
import type { Actor } from "../../src/domain/audit.ts";
import { removeDevice } from "../../src/fleet/edit/remove-device.ts";
import { FrameBlock } from "../../src/store/blocks/frame-block.ts";
import type { Database } from "../../src/store/database.ts";
import { sql } from "../../src/store/sql.ts";
import { everyRow } from "./catalog.ts";
import type { EmptyStore } from "./engines.ts";

export const command: Actor = { kind: "command" };

interface Named {
  readonly accountId: number;
  readonly id: string;
}

export function keepAndHide(database: Database, { accountId, id }: Named, now = Date.now()) {
  const removal = { accountId, id, by: command, revision: null, history: "keep", isPreview: false } as const;
  return removeDevice(database, removal, now);
}

/** Removes a device and erases it to the end, as the server does in the background. */
export async function eraseDevice(database: Database, { accountId, id }: Named, now = Date.now()): Promise<Erased> {
  const removal = { accountId, id, by: command, revision: null, history: "erase", isPreview: false } as const;
  await removeDevice(database, removal, now);
  return eraseMarked(database, foreground);
}

/** Every row of every table as text, and every frame of every block: where an erased text would be found. */
export async function everythingStored(database: Database): Promise<string[]> {
  const rows = Object.entries(await everyRow(database)).flatMap(([table, own]) => own.map((row) => `${table} ${row}`));
  const frames: string[] = [];
  for (const table of ["frame_blocks", "reading_blocks"] as const) {
    const blocks = await database.all<{ body: Uint8Array }>(
      table === "frame_blocks" ? sql`select body from frame_blocks` : sql`select body from reading_blocks`,
    );
    for (const { body } of blocks) {
      for (const frame of new FrameBlock(body).frames()) frames.push(`${table} ${JSON.stringify(frame)}`);
    }
  }
  return [...rows, ...frames];
}

/** What is found of these texts in the tables. */
export async function foundInTables(database: Database, texts: readonly string[]): Promise<string[]> {
  return (await everythingStored(database)).filter((stored) => texts.some((text) => stored.includes(text)));
}

/**
 * The same in the bytes of the store's files, but for what SQLite has moved: it may leave a copy of a row in the unused
 * middle of a page (docs/operations.md). PostgreSQL's files are not ours to read.
 */
export async function foundInFiles({ directory }: EmptyStore, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(directory)) {
    if (!name.startsWith("odograph.db")) continue;
    const bytes = await readFile(join(directory, name));
    if (name === "odograph.db") clearUnused(bytes);
    for (const text of texts) if (bytes.includes(text)) found.push(`${name}: ${text}`);
  }
  return found;
}

/** Of pages within and at the end of a B-tree, of an index and of a table. */
const headerBytesByKind: ReadonlyMap<number, number> = new Map([
  [0x02, 12],
  [0x05, 12],
  [0x0a, 8],
  [0x0d, 8],
]);

/** Between the places of the cells of a B-tree's page, which come first, and the cells, at its end. */
function clearUnused(file: Buffer): void {
  const pageBytes = file.readUInt16BE(16);
  for (let page = 0; page < file.length; page += pageBytes) {
    const header = page === 0 ? 100 : page;
    const headerBytes = headerBytesByKind.get(file.readUInt8(header));
    // Other pages begin with the number of a page, which is small.
    if (headerBytes === undefined) continue;
    file.fill(0, header + headerBytes + 2 * file.readUInt16BE(header + 3), page + file.readUInt16BE(header + 5));
  }
}
