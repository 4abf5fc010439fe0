import { Compression, TileType } from "pmtiles";

export interface RawArchive {
  /** Each piece as it shall be in the file, compressed or not. */
  readonly root: Uint8Array;
  readonly metadata?: Uint8Array;
  readonly leaves?: Uint8Array;
  readonly data?: Uint8Array;
  /** Of directories and metadata. */
  readonly compression?: Compression;
  readonly tileCompression?: Compression;
}

export type RawEntry = readonly [id: number, run: number, length: number, offset: number];

const headerBytes = 127;

const streetMetadata = new TextEncoder().encode(JSON.stringify({ vector_layers: [{ id: "roads" }] }));

/** A PMTiles archive of the world from zoom 0 to 10 whose pieces may be whatever they like. */
export function rawArchive(archive: RawArchive): Uint8Array<ArrayBuffer> {
  const { root, metadata = streetMetadata, leaves = new Uint8Array(), data = new Uint8Array() } = archive;
  const { compression = Compression.None, tileCompression = Compression.Gzip } = archive;
  const header = Buffer.alloc(headerBytes);
  header.write("PMTiles");
  header[7] = 3;
  let at = headerBytes;
  for (const [index, { byteLength }] of [root, metadata, leaves, data].entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(byteLength), 16 + 16 * index);
    at += byteLength;
  }
  header.set([1, compression, tileCompression, TileType.Mvt, 0, 10], 96);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  return Uint8Array.from(Buffer.concat([header, root, metadata, leaves, data]));
}

/** A directory, uncompressed. A run of 0 leads to a leaf. */
export function rawDirectory(entries: readonly RawEntry[]): Uint8Array {
  const ids = entries.map(([id], index) => id - (entries[index - 1]?.[0] ?? 0));
  const columns = [ids, entries.map(([, run]) => run), entries.map(([, , length]) => length)];
  const offsets = entries.map(([, , , offset]) => offset + 1);
  return Buffer.concat([entries.length, ...columns.flat(), ...offsets].map(varint));
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.from([...bytes, rest]);
}

/** A directory that holds as many entries as it says, all of them zeros. */
export function zeroDirectory(entries: number): Uint8Array {
  return Buffer.concat([varint(entries), Buffer.alloc(entries * 4)]);
}

/** The data of one tile, which the whole world has. */
export function everywhereIn(data: Uint8Array): Pick<RawArchive, "root" | "data"> {
  return { root: rawDirectory([[0, 2_000_000, data.byteLength, 0]]), data };
}
