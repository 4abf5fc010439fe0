import { Compression, TileType, zxyToTileId } from "pmtiles";

export interface ArchivedTile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  readonly gzip: Uint8Array;
}

export interface ArchiveContent {
  readonly tiles: readonly ArchivedTile[];
  /** West, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  readonly metadata: object;
}

const headerBytes = 127;
/** Readers fetch this much at first, and expect the header and the root directory in it. */
const firstReadBytes = 16_384;
/** How many entries a leaf has. With as many, the root of a million tiles fits in the first read. */
const entriesPerLeaf = 4_096;

interface Entry {
  readonly id: number;
  /** Zero: it names a leaf directory. */
  readonly run: number;
  readonly offset: number;
  readonly length: number;
}

/** A PMTiles archive of version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). Equal tiles are stored once. */
export function pmtilesArchive({ tiles, bounds, metadata }: ArchiveContent): Uint8Array<ArrayBuffer> {
  const sorted = tiles
    .map((tile) => ({ id: zxyToTileId(tile.z, tile.x, tile.y), ...tile }))
    .toSorted((one, other) => one.id - other.id);
  const { entries, contents, bytes: dataBytes } = packed(sorted);
  const { root, leaves } = directories(entries);
  const description = Bun.gzipSync(JSON.stringify(metadata));
  const rootAt = headerBytes;
  const descriptionAt = rootAt + root.byteLength;
  const leavesAt = descriptionAt + description.byteLength;
  const dataAt = leavesAt + leaves.byteLength;
  if (descriptionAt > firstReadBytes) throw new Error("the archive has too many tiles for this writer");

  const header = new DataView(new ArrayBuffer(headerBytes));
  new Uint8Array(header.buffer).set(new TextEncoder().encode("PMTiles"));
  header.setUint8(7, 3);
  const numbers = [
    ...[rootAt, root.byteLength, descriptionAt, description.byteLength, leavesAt, leaves.byteLength],
    ...[dataAt, dataBytes, tiles.length, entries.length, contents.length],
  ];
  for (const [index, number] of numbers.entries()) header.setBigUint64(8 + 8 * index, BigInt(number), true);
  const zooms = tiles.map(({ z }) => z);
  const [minZoom, maxZoom] = [Math.min(...zooms), Math.max(...zooms)];
  const bytes = [1, Compression.Gzip, Compression.Gzip, TileType.Mvt, minZoom, maxZoom];
  for (const [index, byte] of bytes.entries()) header.setUint8(96 + index, byte);
  const [west, south, east, north] = bounds;
  for (const [index, degrees] of [west, south, east, north].entries()) setDegrees(header, 102 + 4 * index, degrees);
  header.setUint8(118, minZoom);
  setDegrees(header, 119, (west + east) / 2);
  setDegrees(header, 123, (south + north) / 2);
  return joined([new Uint8Array(header.buffer), root, description, leaves, ...contents]);
}

function setDegrees(header: DataView, at: number, degrees: number): void {
  header.setInt32(at, Math.round(degrees * 1e7), true);
}

function packed(sorted: readonly (ArchivedTile & { readonly id: number })[]) {
  const entries: Entry[] = [];
  const contents: Uint8Array[] = [];
  const known = new Map<bigint, { readonly offset: number; readonly length: number }>();
  let bytes = 0;
  for (const { id, gzip } of sorted) {
    const hash = Bun.hash.wyhash(gzip);
    let place = known.get(hash);
    if (!place) {
      place = { offset: bytes, length: gzip.byteLength };
      known.set(hash, place);
      contents.push(gzip);
      bytes += gzip.byteLength;
    }
    const last = entries.at(-1);
    if (last && last.id + last.run === id && last.offset === place.offset) {
      entries[entries.length - 1] = { ...last, run: last.run + 1 };
    } else entries.push({ id, run: 1, ...place });
  }
  return { entries, contents, bytes };
}

function directories(entries: readonly Entry[]): { readonly root: Uint8Array; readonly leaves: Uint8Array } {
  const whole = directory(entries);
  if (headerBytes + whole.byteLength <= firstReadBytes) return { root: whole, leaves: new Uint8Array() };
  const rows: Entry[] = [];
  const leaves: Uint8Array[] = [];
  let offset = 0;
  for (let start = 0; start < entries.length; start += entriesPerLeaf) {
    const leaf = directory(entries.slice(start, start + entriesPerLeaf));
    rows.push({ id: (entries[start] as Entry).id, run: 0, offset, length: leaf.byteLength });
    leaves.push(leaf);
    offset += leaf.byteLength;
  }
  return { root: directory(rows), leaves: joined(leaves) };
}

/** Each field as a column. An id is the distance to the one before; an offset is 0 if its tile follows the one before. */
function directory(entries: readonly Entry[]): Uint8Array {
  const out: number[] = [];
  writeVarint(out, entries.length);
  let last = 0;
  for (const { id } of entries) {
    writeVarint(out, id - last);
    last = id;
  }
  for (const { run } of entries) writeVarint(out, run);
  for (const { length } of entries) writeVarint(out, length);
  for (const [index, { offset }] of entries.entries()) {
    const before = entries[index - 1];
    writeVarint(out, before && offset === before.offset + before.length ? 0 : offset + 1);
  }
  return Bun.gzipSync(Uint8Array.from(out));
}

function writeVarint(out: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    out.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  out.push(rest);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
