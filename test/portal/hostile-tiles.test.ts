import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from "node:zlib";
import { Compression, PMTiles } from "pmtiles";
import type { Observation } from "../../src/observe/observation.ts";
import { ArchiveFile } from "../../src/portal/tiles/archive-file.ts";
import { DirectoryCache } from "../../src/portal/tiles/directory-cache.ts";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { everywhereIn, type RawArchive, rawArchive, rawDirectory, zeroDirectory } from "../support/raw-archive.ts";
import { scratchFolder } from "../support/street-tiles.ts";

const folders: string[] = [];
const opened: MapTiles[] = [];
let file = "";
let seen: Observation[] = [];

beforeEach(async () => {
  const folder = await scratchFolder();
  folders.push(folder);
  file = join(folder, "city.pmtiles");
  seen = [];
});

afterAll(async () => {
  for (const tiles of opened) await tiles.close();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function tilesOf(archive: RawArchive): Promise<MapTiles> {
  await writeFile(file, rawArchive(archive));
  const tiles = new MapTiles(file, (observation) => seen.push(observation));
  opened.push(tiles);
  return tiles;
}

function complaints(): string[] {
  return seen.flatMap((one) => (one.kind === "map_tiles_unusable" ? [one.reason] : []));
}

const tooLarge = [expect.stringContaining("a piece of it is too large")];
const none = { outcome: "unusable" } as const;

const quickBrotli = { [constants.BROTLI_PARAM_QUALITY]: 3 };

const compressions = [
  ["gzip", Compression.Gzip, (bytes: Uint8Array) => gzipSync(bytes)],
  ["brotli", Compression.Brotli, (bytes: Uint8Array) => brotliCompressSync(bytes, { params: quickBrotli })],
  ["zstd", Compression.Zstd, (bytes: Uint8Array) => zstdCompressSync(bytes)],
] as const;

for (const [name, compression, compress] of compressions) {
  describe(`with ${name}`, () => {
    test("a tile comes plain to who wants it so", async () => {
      const text = new TextEncoder().encode("streets ".repeat(10_000));
      const tiles = await tilesOf({ ...everywhereIn(compress(text)), tileCompression: compression });
      const found = await tiles.tile(3, 2, 1, false);
      expect(found).toMatchObject({ outcome: "tile", tile: { isGzip: false } });
      expect(found.outcome === "tile" && Buffer.from(found.tile.bytes).equals(text)).toBe(true);
    });

    test("a tile that would fill the memory is not inflated", async () => {
      const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
      const tiles = await tilesOf({ ...everywhereIn(bomb), tileCompression: compression });
      expect(await tiles.tile(0, 0, 0, false)).toEqual(none);
      expect(await tiles.tile(0, 0, 0, true)).toEqual(none);
      expect(complaints()).toEqual(tooLarge);
    });

    test("a damaged tile is not sent to anyone", async () => {
      const whole = compress(crypto.getRandomValues(new Uint8Array(5_000)));
      for (const bytes of [Buffer.from("nothing of that kind, and long enough"), whole.subarray(1)]) {
        const tiles = await tilesOf({ ...everywhereIn(bytes), tileCompression: compression });
        expect(await tiles.tile(0, 0, 0, false)).toEqual(none);
        expect(await tiles.tile(0, 0, 0, true)).toEqual(none);
      }
      const cut = await tilesOf({ ...everywhereIn(whole.subarray(0, 3_000)), tileCompression: compression });
      expect(await cut.tile(0, 0, 0, false)).toEqual(none);
      expect(await cut.tile(0, 0, 0, true)).toEqual(none);
    });

    test("a root and metadata that would fill the memory make the archive unusable", async () => {
      const root = compress(zeroDirectory(4_000_000));
      const metadata = compress(Buffer.from("{}"));
      expect(await (await tilesOf({ root, metadata, compression })).describe()).toBeNull();
      expect(complaints()).toEqual(tooLarge);
      seen = [];
      const small = compress(rawDirectory([[0, 1, 1, 0]]));
      const large = compress(Buffer.from(`{"a":"${"a".repeat(2_000_000)}"}`));
      expect(await (await tilesOf({ root: small, metadata: large, compression })).describe()).toBeNull();
      expect(complaints()).toEqual(tooLarge);
    });
  });
}

test("a directory with more entries than any archive has is not parsed", async () => {
  // Few enough bytes, too many entries.
  const leaf = gzipSync(zeroDirectory(150_000));
  const root = gzipSync(rawDirectory([[0, 0, leaf.byteLength, 0]]));
  const archive = { root, leaves: leaf, metadata: gzipSync("{}"), compression: Compression.Gzip };
  const tiles = await tilesOf(archive);
  expect(await tiles.describe()).not.toBeNull();
  expect(await tiles.tile(0, 0, 0)).toEqual(none);
  expect(complaints()).toEqual(tooLarge);
});

test("pieces that are larger than the file are not asked of the memory, and are reported once", async () => {
  const tiles = await tilesOf({
    root: rawDirectory([
      [0, 1, 2 ** 40, 0],
      [1, 1, 2 ** 41, 0],
      [2, 1, 100, 2 ** 50],
    ]),
  });
  expect(await tiles.tile(0, 0, 0)).toEqual(none);
  expect(await tiles.tile(1, 0, 0)).toEqual(none);
  expect(await tiles.tile(1, 0, 1)).toEqual(none);
  expect(complaints()).toEqual(tooLarge);
});

test("who made an archive is said in 500 characters at most, and without cut tags", async () => {
  const credit = async (attribution: string) => {
    const metadata = new TextEncoder().encode(JSON.stringify({ attribution }));
    return (await (await tilesOf({ root: rawDirectory([[0, 1, 1, 0]]), metadata })).describe())?.attribution;
  };
  expect(await credit('<a href="https://a.example">© A</a>')).toBe('<a href="https://a.example">© A</a>');
  expect(await credit(`<a href="https://a.example/${"a".repeat(600)}">© A</a>`)).toBe("© A");
  const cut = await credit("A".repeat(900_000));
  expect([cut?.length, cut?.endsWith("A…")]).toEqual([500, true]);
  expect(await credit("<".repeat(900_000))).toContain("© OpenStreetMap");
});

describe("directories in memory", () => {
  /** An archive with one leaf for each of ten tiles of zoom 2, and what its reader asks of the file. */
  async function tenLeaves(maxBytes: number) {
    const leaf = (index: number) =>
      rawDirectory(Array.from({ length: 50 }, (_, one) => [5 + index + one * 100, 1, 1, 0]));
    const leaves = Array.from({ length: 10 }, (_, index) => leaf(index));
    const starts = leaves.map((_, index) => leaves.slice(0, index).reduce((sum, { length }) => sum + length, 0));
    const root = rawDirectory(leaves.map(({ length }, index) => [5 + index, 0, length, starts[index] ?? 0]));
    const archive = { root, leaves: Buffer.concat(leaves), data: Buffer.from("x"), tileCompression: Compression.None };
    await writeFile(file, rawArchive(archive));
    const source = await ArchiveFile.open(file);
    const cache = new DirectoryCache(maxBytes);
    const header = await cache.getHeader(source);
    const reads: number[] = [];
    const counted = {
      getKey: () => source.getKey(),
      getBytes(offset: number, length: number) {
        reads.push(offset);
        return source.getBytes(offset, length);
      },
    };
    const read = (index: number) =>
      cache.getDirectory(
        counted,
        header.leafDirectoryOffset + (starts[index] ?? 0),
        leaves[index]?.length ?? 0,
        header,
      );
    return { cache, reads, read, counted, close: () => source.close() };
  }

  test("are bounded by what they take, and those that were used last stay", async () => {
    const { cache, reads, read, close } = await tenLeaves(12_000);
    for (let index = 0; index < 10; index++) {
      await read(index);
      await read(0);
      expect(cache.bytes).toBeLessThanOrEqual(12_000);
    }
    expect(reads.length).toBe(10);
    await read(9);
    expect(reads.length).toBe(10);
    await read(1);
    expect(reads.length).toBe(11);
    await close();
  });

  test("are read once, however many ask at the same time", async () => {
    const { counted, reads, cache, close } = await tenLeaves(1_000_000);
    const tiles = new PMTiles(counted, cache, async (bytes) => bytes);
    await Promise.all(Array.from({ length: 50 }, () => tiles.getZxy(2, 0, 0)));
    // The root, the leaf, and the tile for each.
    expect(reads.length).toBe(52);
    await close();
  });
});
