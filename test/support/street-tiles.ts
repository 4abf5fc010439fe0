import { mkdtemp, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pmtilesArchive } from "../../src/simulator/map/pmtiles-archive.ts";

interface ArchiveOptions {
  /** What each tile holds, so that archives can be distinguished. */
  readonly text: string;
  readonly maxZoom: number;
  /** West, south, east, north. */
  readonly bounds?: readonly [number, number, number, number];
  readonly layers?: readonly string[];
  readonly attribution?: string;
}

/** All of the world, at the least zooms. */
const everywhere = [-180, -85, 180, 85] as const;

/** An archive of tiles that hold a text instead of streets: what is in a tile is nothing to the server. */
export function archiveOf(options: ArchiveOptions): Uint8Array<ArrayBuffer> {
  const { text, maxZoom, bounds = everywhere, layers = ["roads"], attribution } = options;
  const gzip = Bun.gzipSync(text);
  const tiles: { z: number; x: number; y: number; gzip: Uint8Array }[] = [];
  for (let z = 0; z <= maxZoom; z++) {
    for (const [x, y] of tilesOf(bounds, z)) tiles.push({ z, x, y, gzip });
  }
  const metadata = { vector_layers: layers.map((id) => ({ id, fields: {} })), ...(attribution ? { attribution } : {}) };
  return pmtilesArchive({ tiles, bounds, metadata });
}

function* tilesOf([west, south, east, north]: readonly [number, number, number, number], z: number) {
  const size = 2 ** z;
  const column = (degrees: number) => Math.min(size - 1, Math.floor(((degrees + 180) / 360) * size));
  const row = (degrees: number) => {
    const sine = Math.sin((degrees * Math.PI) / 180);
    return Math.max(
      0,
      Math.min(size - 1, Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size)),
    );
  };
  for (let x = column(west); x <= column(east); x++)
    for (let y = row(north); y <= row(south); y++) yield [x, y] as const;
}

/** The same archive with another byte in its header. */
export function withHeaderByte(archive: Uint8Array, at: number, byte: number): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(archive);
  changed[at] = byte;
  return changed;
}

/** Where the header says what kind of tiles there are. */
export const tileTypeAt = 99;

export function scratchFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "odograph-tiles-"));
}

/** Puts a file in place at once, as an operator should. */
export async function putFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
}
