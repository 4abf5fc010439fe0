import { describe, expect, test } from "bun:test";
import { VectorTile } from "@mapbox/vector-tile";
import fc from "fast-check";
import { PbfReader } from "pbf";
import { packedTowns } from "../../scripts/pack-towns.ts";
import { metresBetween, type Place } from "../../src/domain/geometry/distance.ts";
import { townText } from "../../src/portal/both-sides/places/near-town.ts";
import { placeInWords } from "../../src/portal/both-sides/places/place-name.ts";
import { Show, usualUnits } from "../../src/portal/both-sides/reading/show.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import * as es from "../../src/portal/both-sides/texts/es/index.ts";
import * as pt from "../../src/portal/both-sides/texts/pt/index.ts";
import { nearestTown } from "../../src/portal/towns/nearest-town.ts";
import { loadTowns } from "../../src/portal/towns/town-file.ts";
import { townOf } from "../../src/portal/towns/town-of.ts";
import { townTile } from "../../src/portal/towns/town-tiles.ts";
import { forAll } from "../support/for-all.ts";

const show = new Show("en", en, usualUnits, "UTC");
const towns = await loadTowns();

async function words(latitude: number, longitude: number): Promise<string | null> {
  const town = await townOf({ latitude, longitude });
  return town && townText(town, show, en);
}

describe("the town of a place", () => {
  test("is the one that it is in, or how far and in which direction the nearest is", async () => {
    expect(await words(52.43, 13.75)).toBe("Erkner");
    expect(await words(52.405, 13.79)).toBe("3 km SW of Grünheide");
    expect(await words(57, 19.5)).toBe("73 km E of Hemse");
    expect(await words(48.14, 11.58)).toBe("Munich");
  });

  test("names the town of which it is a part", async () => {
    expect(await words(52.5157, 13.456)).toBe("Friedrichshain, Berlin");
    expect(await words(51.5, -0.12)).toBe("Lambeth, London");
  });

  test("is none on the open sea and at the poles, and goes on beyond the antimeridian", async () => {
    expect([await words(0, -30), await words(90, 0), await words(-90, 180)]).toEqual([null, null, null]);
    const [west, east] = [await townOf({ latitude: 65, longitude: -179.99 }), await words(65, 179.99)];
    expect([west?.name, east]).toEqual(["Anadyr", "121 km E of Anadyr"]);
  });

  test("property: no other is nearer", () => {
    const all = [...towns.inBox([-180, -90, 179.99, 89.99])];
    expect(all.length).toBeGreaterThan(150_000);
    const anywhere = fc.record({
      latitude: fc.double({ min: -60, max: 75, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    const least = (place: Place) => Math.min(...all.map((town) => metresBetween(town, place)));
    forAll(12, [anywhere], (place) => {
      const [found, metres] = [nearestTown(towns, place), least(place)];
      if (metres > 200_000) expect(found).toBeNull();
      else expect(found?.distance_m).toBe(Math.round(metres));
    });
  });

  test("is in the reader's language and units", () => {
    const near = { name: "Erkner", part_of: null, distance_m: 3100, is_inside: false, direction: "nw" } as const;
    const inLanguage = (texts: typeof en, language: "de" | "es" | "pt") =>
      townText(near, new Show(language, texts, usualUnits, "UTC"), texts);
    expect(inLanguage(de as typeof en, "de")).toBe("3 km nordwestlich von Erkner");
    expect(inLanguage(es as typeof en, "es")).toBe("3 km al noroeste de Erkner");
    expect(inLanguage(pt as typeof en, "pt")).toBe("3 km a noroeste de Erkner");
    const inMiles = new Show("en", en, { ...usualUnits, distance: "mi" }, "UTC");
    expect(townText(near, inMiles, en)).toBe("2 mi NW of Erkner");
  });

  test("is said where no fence is around the place or nearer, and no street is known", () => {
    const town = { name: "Erkner", part_of: null, distance_m: 3100, is_inside: false, direction: "nw" } as const;
    const fence = (metres: number) => ({ fence: { name: "Depot" }, metres }) as never;
    const say = (known: Partial<Parameters<typeof placeInWords>[0]>) =>
      placeInWords({ fence: null, street: null, town, ...known }, show, en);
    expect(say({})).toBe("3 km NW of Erkner");
    expect(say({ fence: fence(4000) })).toBe("3 km NW of Erkner");
    expect(say({ fence: fence(3000) })).toBe("3.0 km from Depot");
    const inTown = { ...town, distance_m: 300, is_inside: true };
    expect(say({ town: inTown, fence: fence(600) })).toBe("600 m from Depot");
    expect(say({ town: inTown, fence: fence(1100) })).toBe("Erkner");
    expect(say({ town: null, fence: fence(5000) })).toBe("5.0 km from Depot");
    expect(say({ fence: fence(0), street: "Mill Lane" })).toBe("Depot");
    expect(say({ fence: fence(3000), street: "Mill Lane" })).toBe("Mill Lane");
    expect(say({ town: null })).toBeNull();
  });
});

test("the file of towns is what the script packs, and not large", async () => {
  const packed = await packedTowns();
  const file = Bun.file(new URL("../../src/portal/towns/towns.dat", import.meta.url));
  expect(Bun.SHA256.hash(packed, "hex")).toBe(Bun.SHA256.hash(await file.arrayBuffer(), "hex"));
  expect(packed.length).toBeLessThan(4_000_000);
});

describe("a tile of towns", () => {
  const layer = async (z: number, x: number, y: number, name: string) => {
    const tile = new VectorTile(new PbfReader(Bun.gunzipSync(await townTile(z, x, y)))).layers[name];
    return Array.from({ length: tile?.length ?? 0 }, (_, index) => tile?.feature(index).properties ?? {});
  };

  test("has the largest of the world far away, and every village near by", async () => {
    const world = await layer(1, 1, 0, "towns");
    expect(world.map(({ name }) => name)).toContain("Shanghai");
    expect(Math.min(...world.map(({ people }) => Number(people)))).toBeGreaterThan(999_999);
    const erkner = (await layer(10, 551, 336, "towns")).map(({ name }) => name);
    expect(erkner).toContain("Erkner");
    expect(erkner.length).toBeLessThanOrEqual(150);
  });

  test("has a grid where there are no streets, and is small", async () => {
    expect((await layer(10, 551, 336, "grid")).length).toBeGreaterThan(30);
    for (const [z, x, y] of [[1, 1, 0] as const, [5, 17, 10] as const, [10, 551, 336] as const])
      expect((await townTile(z, x, y)).length).toBeLessThan(10_000);
  });
});
