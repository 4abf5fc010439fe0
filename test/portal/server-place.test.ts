import { describe, expect, test } from "bun:test";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MapTiles } from "../../src/portal/tiles/map-tiles.ts";
import { pmtilesArchive } from "../../src/simulator/map/pmtiles-archive.ts";
import { type MapFeature, sliceTiles } from "../../src/simulator/map/slice-tiles.ts";
import { startGeocoder } from "../support/geocoder-server.ts";
import { onOneEngine } from "../support/one-engine.ts";
import { sharedPortal } from "../support/portal.ts";
import { scratchFolder } from "../support/street-tiles.ts";

const [north, east] = [53.55, 9.99];

/** A street, a road 78 m south of it that has a number only, a railway beside that, a way without a name, and two close streets. */
function streetsArchive(): Uint8Array<ArrayBuffer> {
  const line = (latitude: number, properties: Record<string, string>): MapFeature => ({
    type: "Feature",
    properties: { kind: "minor_road", min_zoom: 12, ...properties },
    geometry: {
      type: "LineString",
      coordinates: [
        [east - 0.02, latitude],
        [east + 0.02, latitude],
      ],
    },
  });
  const roads = [
    line(north, { name: "Mill Lane" }),
    line(north - 0.0007, { kind: "highway", ref: "A 7" }),
    line(north - 0.0014, { kind: "rail", name: "Harbour Railway" }),
    line(north + 0.0006, {}),
    line(north + 0.00202, { name: "High Street" }),
    line(north + 0.0023, { name: "Low Street" }),
  ];
  const bounds = [east - 0.05, north - 0.05, east + 0.05, north + 0.05] as const;
  const metadata = { vector_layers: [{ id: "roads", fields: {} }] };
  return pmtilesArchive({ tiles: sliceTiles({ roads }, bounds), bounds, metadata });
}

const hamburg = { name: "Hamburg", part_of: null, distance_m: 215, is_inside: true, direction: "w" };

onOneEngine("the portal", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });

  describe("the name of a place", () => {
    test("comes from the geocoder of the settings, for all who are signed in", async () => {
      const geocoder = startGeocoder("nominatim");
      const { users, node } = given();
      const { browser, signIn } = node({ geocoder: { url: geocoder.url, kind: null } });
      expect((await browser().get("/places?at=53.55,9.99")).status).toBe(401);
      expect(geocoder.asked).toEqual([]);
      for (const email of [users.olga.email, users.anna.email]) {
        const person = await signIn(email);
        expect((await person.get("/session")).body.has_geocoder).toBe(true);
        const { status, body } = await person.get("/places?at=53.55,9.99");
        const named = { name: "Hafenstraße 12, Hamburg", may_change: false, town: hamburg };
        expect([status, body]).toEqual([200, { data: [named] }]);
      }
      expect(geocoder.asked).toEqual(["/reverse?format=jsonv2&lat=53.5500&lon=9.9900"]);
      // A long list asks for towns alone, whatever else could be asked.
      const olga = await signIn(users.olga.email);
      const { body } = await olga.get("/places?at=53.55,9.99&streets=false");
      expect(body.data).toEqual([{ name: null, may_change: false, town: hamburg }]);
      expect((await olga.get("/places?at=53.56,9.99&streets=no")).status).toBe(400);
      expect(geocoder.asked).toHaveLength(1);
      await geocoder.stop();
    });

    test("is only that of the town without a geocoder, and while it fails", async () => {
      const { users, node } = given();
      const olga = await node().signIn(users.olga.email);
      expect((await olga.get("/session")).body.has_geocoder).toBe(false);
      const nowhere = { name: null, town: null };
      expect((await olga.get("/places?at=1,-20&at=53.55,9.99")).body.data).toEqual([
        { ...nowhere, may_change: false },
        { name: null, town: hamburg, may_change: false },
      ]);

      const geocoder = startGeocoder("photon", { answer: () => new Response("", { status: 500 }) });
      const { signIn, observations } = node({ geocoder: { url: geocoder.url, kind: "photon" } });
      const { status, body } = await (await signIn(users.olga.email)).get("/places?at=1,-20");
      expect([status, body]).toEqual([200, { data: [{ ...nowhere, may_change: true }] }]);
      expect(observations.filter(({ kind }) => kind === "geocoder_failed")).toHaveLength(1);
      await geocoder.stop();
    });

    test("is the nearest street of the tiles within 50 m, where no geocoder knows one", async () => {
      const folder = await scratchFolder();
      const path = join(folder, "streets.pmtiles");
      await writeFile(path, streetsArchive());
      const mapTiles = new MapTiles(path, () => {});
      const { users, node } = given();
      const olga = await node({ mapTiles }).signIn(users.olga.email);
      expect((await olga.get("/session")).body.has_geocoder).toBe(false);
      const names = async (...places: readonly string[]) => {
        const { body } = await olga.get(`/places?${places.map((place) => `at=${place}`).join("&")}`);
        return body.data.map(({ name }: { readonly name: string | null }) => name);
      };
      // 0.0004 degrees of latitude are 44 m, 0.0005 are 55 m.
      const near = [`${north},${east}`, `${north + 0.0004},${east}`, `${north + 0.0005},${east}`];
      expect(await names(...near)).toEqual(["Mill Lane", "Mill Lane", null]);
      expect(await names(`${north - 0.0007},${east}`, `${north - 0.0014},${east}`)).toEqual(["A 7", null]);
      expect(await names("0,0", "90,180", "-90,-180")).toEqual([null, null, null]);
      // Mails ask for the exact place, the page for a rounded one: both get the same street.
      expect(await names(`${(north + 0.002151).toFixed(6)},${east}`, `${north + 0.0022},${east}`)).toEqual([
        "Low Street",
        "Low Street",
      ]);
      await mapTiles.close();
      await rm(folder, { recursive: true });
    });

    test("is asked for with degrees only", async () => {
      const { users, signIn } = given();
      const olga = await signIn(users.olga.email);
      const tooMany = `?${Array.from({ length: 101 }, () => "at=1,2").join("&")}`;
      for (const wrong of ["", "?at=1", "?at=91,0", "?at=0,-180.1", "?at=1e1,0", "?at=,", "?at=NaN,0", tooMany])
        expect([wrong, (await olga.get(`/places${wrong}`)).status]).toEqual([wrong, 400]);
      for (const right of ["?at=90,-180", "?at=-0.5,1.23456789&at=1,2"])
        expect([right, (await olga.get(`/places${right}`)).status]).toEqual([right, 200]);
    });
  });
});
