import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../../src/observe/observation.ts";
import { coveredShare } from "../../src/portal/tiles/coverage.ts";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { pmtilesArchive } from "../../src/simulator/map/pmtiles-archive.ts";
import { archiveOf, putFile, scratchFolder, tileTypeAt, withHeaderByte } from "../support/street-tiles.ts";

const folders: string[] = [];
let folder = "";
let file = "";
let seen: Observation[] = [];
let now = 0;

beforeEach(async () => {
  folder = await scratchFolder();
  folders.push(folder);
  file = join(folder, "city.pmtiles");
  seen = [];
  now = 0;
});

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

function tilesAt(path: string): MapTiles {
  return new MapTiles(path, (observation) => seen.push(observation), { clock: () => now });
}

/** What was said about files that cannot be used. */
function complaints(): string[] {
  return seen.flatMap((one) => (one.kind === "map_tiles_unusable" ? [one.reason] : []));
}

async function textAt(tiles: MapTiles, z: number, x: number, y: number): Promise<string> {
  const found = await tiles.tile(z, x, y);
  if (found.outcome !== "tile") return found.outcome;
  expect(found.tile.isGzip).toBe(true);
  return new TextDecoder().decode(Bun.gunzipSync(found.tile.bytes));
}

describe("an archive", () => {
  test("is described by its header, and its tiles come as they are in it", async () => {
    const bounds = [10, 50, 15, 55] as const;
    await writeFile(file, archiveOf({ text: "berlin", maxZoom: 6, bounds, attribution: "© Example" }));
    const tiles = tilesAt(file);
    expect(await tiles.describe()).toEqual({
      version: expect.stringMatching(/^[\w-]{12}$/),
      minZoom: 0,
      maxZoom: 6,
      bounds,
      attribution: "© Example",
      isSparse: false,
    });
    expect(await textAt(tiles, 6, 34, 20)).toBe("berlin");
    expect(await textAt(tiles, 6, 0, 0)).toBe("empty");
    expect(await textAt(tiles, 7, 68, 41)).toBe("coarser");
    expect(seen).toEqual([{ kind: "map_tiles_in_use", path: file, archives: 1, maxZoom: 6 }]);
    await tiles.close();
  });

  test("with more tiles than one directory holds is read through its leaves", async () => {
    // Every other tile is its own content, so that no run shortens the directory.
    const tiles = Array.from({ length: 6000 }, (_, index) => ({
      z: 7,
      x: index % 128,
      y: Math.floor(index / 128),
      gzip: Bun.gzipSync(`tile ${index}`),
    }));
    await writeFile(file, pmtilesArchive({ tiles, bounds: [-180, -85, 180, 85], metadata: {} }));
    const opened = tilesAt(file);
    for (const index of [0, 1, 4095, 4096, 5999]) {
      expect(await textAt(opened, 7, index % 128, Math.floor(index / 128))).toBe(`tile ${index}`);
    }
    await opened.close();
  });

  test("that says nothing of its makers is credited to OpenStreetMap", async () => {
    await writeFile(file, archiveOf({ text: "a", maxZoom: 1 }));
    const tiles = tilesAt(file);
    expect((await tiles.describe())?.attribution).toContain("© OpenStreetMap");
    await tiles.close();
  });
});

describe("an archive that cannot be used is reported in one line and never thrown:", () => {
  const good = archiveOf({ text: "a", maxZoom: 2 });
  const cases: readonly (readonly [string, Uint8Array | null, RegExp])[] = [
    ["missing", null, /^there is no such file or folder$/],
    ["empty", new Uint8Array(), /^city.pmtiles is damaged, or is no PMTiles archive/],
    [
      "something else",
      new TextEncoder().encode("<html>".repeat(9000)),
      /is no PMTiles .* \(it does not begin like one\)$/,
    ],
    ["cut off", good.slice(0, 200), /is damaged, or is no PMTiles archive/],
    ["images", withHeaderByte(good, tileTypeAt, 2), /^city.pmtiles: its tiles are PNG, not vector tiles \(MVT\)$/],
    ["of the next version", withHeaderByte(good, 7, 4), /is damaged, or is no PMTiles archive/],
    ["of another schema", archiveOf({ text: "a", maxZoom: 1, layers: ["transportation"] }), /no layer "roads"/],
  ];
  for (const [name, bytes, reason] of cases) {
    test(name, async () => {
      if (bytes) await writeFile(file, bytes);
      const tiles = tilesAt(file);
      for (let call = 0; call < 3; call++) {
        now += 10_000;
        expect(await tiles.describe()).toBeNull();
        expect(await tiles.tile(0, 0, 0)).toEqual({ outcome: "unusable" });
      }
      expect(complaints()).toEqual([expect.stringMatching(reason)]);
      await tiles.close();
    });
  }

  test("a directory that claims more than it holds", async () => {
    // Uncompressed, and its first number says that there are two million entries.
    const archive = withHeaderByte(good, 97, 1);
    archive.set([0x80, 0x89, 0x7a], 127);
    await writeFile(file, archive);
    const tiles = tilesAt(file);
    expect(await tiles.describe()).toBeNull();
    expect(complaints()).toEqual([expect.stringContaining("a directory in it is damaged")]);
  });

  test("one that was cut off, wherever", async () => {
    const whole = archiveOf({ text: "a".repeat(50), maxZoom: 0 });
    for (const missing of [1, 10, whole.length - 150, whole.length - 100, whole.length - 10]) {
      seen = [];
      await writeFile(file, whole.slice(0, -missing));
      const tiles = tilesAt(file);
      expect(await tiles.describe()).toBeNull();
      expect(complaints()).toEqual([expect.stringMatching(/^city.pmtiles is damaged, .* \(it ends too early\)$/)]);
    }
  });

  test("one that is cut off while it is read", async () => {
    const whole = archiveOf({ text: "a".repeat(50), maxZoom: 0 });
    await writeFile(file, whole);
    const tiles = tilesAt(file);
    expect(await tiles.describe()).not.toBeNull();
    await truncate(file, whole.length - 10);
    expect(await tiles.tile(0, 0, 0)).toEqual({ outcome: "unusable" });
    expect(await tiles.tile(0, 0, 0)).toEqual({ outcome: "unusable" });
    expect(complaints()).toEqual([expect.stringContaining("it ends too early")]);
    now += 2_000;
    expect(await tiles.describe()).toBeNull();
    expect(complaints().slice(1)).toEqual(["no archive is left that can be used"]);
  });

  test("an empty folder", async () => {
    const tiles = tilesAt(folder);
    expect(await tiles.describe()).toBeNull();
    expect(complaints()).toEqual(["the folder holds no .pmtiles file"]);
  });
});

describe("while it runs", () => {
  test("an archive may be replaced, removed, damaged and put back", async () => {
    await putFile(file, archiveOf({ text: "old", maxZoom: 1 }));
    const tiles = tilesAt(file);
    const first = (await tiles.describe())?.version;
    expect(await textAt(tiles, 0, 0, 0)).toBe("old");

    await putFile(file, archiveOf({ text: "new", maxZoom: 2 }));
    expect(await textAt(tiles, 0, 0, 0)).toBe("old");
    now += 2_000;
    expect(await textAt(tiles, 0, 0, 0)).toBe("new");
    expect((await tiles.describe())?.version).not.toBe(first ?? "");

    await rm(file);
    now += 2_000;
    expect(await textAt(tiles, 0, 0, 0)).toBe("unusable");
    await putFile(file, new TextEncoder().encode("nothing of use"));
    now += 2_000;
    expect(await textAt(tiles, 0, 0, 0)).toBe("unusable");
    await putFile(file, archiveOf({ text: "back", maxZoom: 2 }));
    now += 2_000;
    expect(await textAt(tiles, 0, 0, 0)).toBe("back");
    expect(seen.map(({ kind }) => kind)).toEqual([
      "map_tiles_in_use",
      "map_tiles_in_use",
      "map_tiles_unusable",
      "map_tiles_unusable",
      "map_tiles_in_use",
    ]);
    await tiles.close();
  });

  test("many ask at once, and the files are looked at once", async () => {
    await putFile(file, archiveOf({ text: "a", maxZoom: 4 }));
    const tiles = tilesAt(file);
    const places = Array.from({ length: 200 }, (_, index) => [index % 16, Math.floor(index / 16)] as const);
    const texts = await Promise.all(places.map(([x, y]) => textAt(tiles, 4, x, y)));
    expect(new Set(texts)).toEqual(new Set(["a"]));
    expect(seen.length).toBe(1);
    await tiles.close();
  });
});

test("a tile that is read while its archive is replaced comes from the one or the other", async () => {
  // Each tile has its own leaf to read, so that a read takes several steps.
  const many = (text: string) => {
    const tiles = Array.from({ length: 9000 }, (_, index) => {
      const place = { z: 7, x: index % 128, y: Math.floor(index / 128) };
      return { ...place, gzip: Bun.gzipSync(`${text} ${index}`) };
    });
    return pmtilesArchive({ tiles, bounds: [-180, -85, 180, 85], metadata: {} });
  };
  const archives = [many("odd"), many("even")];
  await putFile(file, archives[0] as Uint8Array);
  const tiles = tilesAt(file);
  for (let round = 1; round <= 6; round++) {
    const asked = Array.from({ length: 100 }, (_, index) => textAt(tiles, 7, index, (index * 7 + round) % 64));
    await putFile(file, archives[round % 2] as Uint8Array);
    now += 2_000;
    asked.push(textAt(tiles, 7, 5, 5));
    for (const text of await Promise.all(asked)) expect(text).toMatch(/^(odd|even) \d+$/);
  }
  expect(complaints()).toEqual([]);
  await tiles.close();
});

describe("the log has one line whenever the streets change:", () => {
  const lines = () =>
    seen.splice(0).map((one) => {
      if (one.kind === "map_tiles_in_use") return one.archives;
      return one.kind === "map_tiles_unusable" ? one.reason : one.kind;
    });
  const look = async (tiles: MapTiles) => {
    now += 2_000;
    await tiles.describe();
    return lines();
  };

  test("the last good archive of a folder goes, and one comes", async () => {
    const [a, b] = [join(folder, "a.pmtiles"), join(folder, "b.pmtiles")];
    await putFile(join(folder, "bad.pmtiles"), new Uint8Array(200));
    await putFile(a, archiveOf({ text: "a", maxZoom: 1 }));
    await putFile(b, archiveOf({ text: "b", maxZoom: 1 }));
    const tiles = tilesAt(folder);
    expect(await look(tiles)).toEqual([expect.stringMatching(/^bad.pmtiles is damaged/), 2]);
    await rm(b);
    expect(await look(tiles)).toEqual([1]);
    await rm(a);
    expect(await look(tiles)).toEqual(["no archive is left that can be used"]);
    expect(await look(tiles)).toEqual([]);
    await putFile(a, archiveOf({ text: "a", maxZoom: 1 }));
    expect(await look(tiles)).toEqual([1]);
    await putFile(a, new Uint8Array(200));
    expect(await look(tiles)).toEqual([expect.stringMatching(/^a.pmtiles is damaged/)]);
    await rm(a);
    await rm(join(folder, "bad.pmtiles"));
    expect(await look(tiles)).toEqual(["the folder holds no .pmtiles file"]);
  });

  test("and none while another file is copied into the folder, nor has a tile another address", async () => {
    const copied = archiveOf({ text: "copied", maxZoom: 3 });
    const bad = join(folder, "bad.pmtiles");
    await putFile(join(folder, "a.pmtiles"), archiveOf({ text: "a", maxZoom: 1 }));
    const tiles = tilesAt(folder);
    expect(await look(tiles)).toEqual([1]);
    const version = (await tiles.describe())?.version ?? "none";
    await writeFile(bad, copied.slice(0, 150));
    expect(await look(tiles)).toEqual([expect.stringContaining("it ends too early")]);
    await writeFile(bad, copied.slice(0, 200));
    expect(await look(tiles)).toEqual([]);
    expect((await tiles.describe())?.version).toBe(version);
    await writeFile(bad, copied);
    expect(await look(tiles)).toEqual([2]);
    expect((await tiles.describe())?.version).not.toBe(version);
    await tiles.close();
  });

  test("of a file with damaged tiles once, whatever else changes, until it does", async () => {
    const bad = join(folder, "bad.pmtiles");
    const damaged = archiveOf({ text: "damaged", maxZoom: 0 });
    await putFile(bad, damaged.fill(0, damaged.length - 15));
    const tiles = tilesAt(folder);
    expect(await textAt(tiles, 0, 0, 0)).toBe("unusable");
    expect(lines()).toEqual([1, expect.stringMatching(/^bad.pmtiles is damaged/)]);
    await putFile(join(folder, "city.pmtiles"), archiveOf({ text: "city", maxZoom: 0, bounds: [13, 52, 14, 53] }));
    expect(await look(tiles)).toEqual([2]);
    expect(await textAt(tiles, 0, 0, 0)).toBe("city");
    expect(lines()).toEqual([]);
    await putFile(bad, damaged);
    expect(await look(tiles)).toEqual([2]);
    expect(await textAt(tiles, 0, 0, 0)).toBe("city");
    expect(lines()).toEqual([expect.stringMatching(/^bad.pmtiles is damaged/)]);
    await tiles.close();
  });
});

describe("a folder of archives", () => {
  test("gives the most detailed tile that covers the place, and says where a smaller zoom has to do", async () => {
    const city = [13, 52, 14, 53] as const;
    await putFile(join(folder, "world.pmtiles"), archiveOf({ text: "world", maxZoom: 3, attribution: "© World" }));
    await putFile(join(folder, "city.pmtiles"), archiveOf({ text: "city", maxZoom: 10, bounds: city }));
    await putFile(join(folder, "broken.pmtiles"), new Uint8Array(9));
    await putFile(join(folder, "notes.txt"), new Uint8Array(9));
    await mkdir(join(folder, "more"));
    await symlink(join(folder, "nowhere"), join(folder, "link.pmtiles"));
    const tiles = tilesAt(folder);
    expect(await tiles.describe()).toMatchObject({
      minZoom: 0,
      maxZoom: 10,
      isSparse: true,
      bounds: [-180, -85, 180, 85],
    });
    expect((await tiles.describe())?.attribution).toMatch(/OpenStreetMap.* \| © World$/);
    // Berlin.
    expect(await textAt(tiles, 10, 550, 335)).toBe("city");
    // The tile of zoom 3 around Berlin is mostly not of the city.
    expect(await textAt(tiles, 3, 4, 2)).toBe("world");
    // Tokyo.
    expect(await textAt(tiles, 3, 7, 3)).toBe("world");
    expect(await textAt(tiles, 10, 909, 403)).toBe("coarser");
    expect(complaints()).toEqual([expect.stringContaining("broken.pmtiles is damaged"), "link.pmtiles is missing"]);
    await tiles.close();
  });

  test("with a damaged archive gives the tiles of a good one that has the place, and names the damaged file", async () => {
    const damaged = archiveOf({ text: "damaged", maxZoom: 3 });
    await putFile(join(folder, "a.pmtiles"), damaged.fill(0, damaged.length - 15));
    const good = archiveOf({ text: "good", maxZoom: 2, bounds: [-180, 5, 180, 85] });
    await putFile(join(folder, "b.pmtiles"), good);
    const tiles = tilesAt(folder);
    // The damaged one has more detail and covers more, so it is asked first.
    expect(await textAt(tiles, 2, 1, 1)).toBe("good");
    expect(await textAt(tiles, 0, 0, 0)).toBe("good");
    // The good one has nothing there.
    expect(await textAt(tiles, 2, 1, 3)).toBe("unusable");
    expect(await textAt(tiles, 3, 1, 1)).toBe("unusable");
    expect(complaints()).toEqual([expect.stringMatching(/^a.pmtiles is damaged/)]);
    await tiles.close();
  });

  test("of more than 64 gives the first 64 by name, which is said", async () => {
    const names = Array.from({ length: 65 }, (_, index) => `${String(index).padStart(2, "0")}.pmtiles`);
    const archive = archiveOf({ text: "a", maxZoom: 1 });
    for (const name of names.slice(0, 64)) await putFile(join(folder, name), archive);
    const tiles = tilesAt(folder);
    expect((await tiles.describe())?.maxZoom).toBe(1);
    expect(complaints()).toEqual([]);
    await putFile(join(folder, names[64] ?? ""), archiveOf({ text: "more", maxZoom: 2 }));
    now += 2_000;
    expect((await tiles.describe())?.maxZoom).toBe(1);
    expect(complaints()).toEqual(["the folder holds more than 64 .pmtiles files: only the first 64 by name are used"]);
    await rm(join(folder, names[0] ?? ""));
    now += 2_000;
    expect((await tiles.describe())?.maxZoom).toBe(2);
    expect(complaints().length).toBe(1);
    await tiles.close();
  });
});

test("how much of a tile lies within bounds", () => {
  const north = 66.51326044311186;
  expect(coveredShare([-180, -90, 180, 90], 0, 0, 0)).toBeCloseTo(1, 9);
  expect(coveredShare([-180, 0, 0, 90], 1, 0, 0)).toBeCloseTo(1, 9);
  expect(coveredShare([-180, 0, 0, 90], 1, 1, 0)).toBe(0);
  expect(coveredShare([-90, north, 0, 90], 1, 0, 0)).toBeCloseTo(0.25, 9);
});
