import { afterAll, beforeAll, expect } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { pmtilesArchive } from "../../../src/simulator/map/pmtiles-archive.ts";
import { type MapFeature, sliceTiles } from "../../../src/simulator/map/slice-tiles.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { drawn, vehiclesDrawn } from "../../support/browser-map.ts";
import { comeBack } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { patienceMs, until } from "../../support/patience.ts";
import { oneVehicleEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { putFile, scratchFolder } from "../../support/street-tiles.ts";
import { lose } from "./lost-server.ts";

/** Around the only vehicle of the sub-account, which is the middle of the map. */
const cologne = [6.1, 50.4, 7.9, 51.5] as const;

/** Motorways from west to east, two hundred metres apart, so that some are in the picture. */
function motorways(): Uint8Array<ArrayBuffer> {
  const [west, south, east, north] = cologne;
  const roads: MapFeature[] = [];
  for (let latitude = south; latitude < north; latitude += 0.002) {
    const coordinates = [west, 7, east].map((longitude) => [longitude, latitude]);
    const properties = { kind: "highway", kind_detail: "motorway", name: "A 3", shield_text: "A 3", min_zoom: 4 };
    roads.push({ type: "Feature", properties, geometry: { type: "LineString", coordinates } });
  }
  const attribution = '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>';
  const metadata = { attribution, vector_layers: [{ id: "roads", fields: {} }] };
  return pmtilesArchive({ tiles: sliceTiles({ roads }, cologne), bounds: cologne, metadata });
}

/** The share of the map that has one of the colours. What the map draws cannot be asked for: it is looked at. */
async function shareOf(page: Page, colours: readonly string[]): Promise<number> {
  const picture = (await page.locator(".map").screenshot()).toString("base64");
  return page.evaluate(`(${countPixels})("${picture}", ${JSON.stringify(colours)})`);
}

/** Runs in the page. */
const countPixels = `async (data, wanted) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
  let found = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const hex = [0, 1, 2].map((part) => pixels[at + part].toString(16).padStart(2, "0")).join("");
    if (wanted.includes("#" + hex)) found++;
  }
  return found / (pixels.length / 4);
}`;

const colours = { light: "#f6d998", dark: "#75653d" };

/** Where the tiles are, as the server tells the page. It notices another file within two seconds. */
async function tilesOf(page: Page): Promise<string | null> {
  const { map } = await (await page.request.get("/portal/api/session")).json();
  return map.tiles?.url ?? null;
}

const note = (page: Page) => page.getByText("The streets cannot be loaded. This is the coarse map.");

export function testStreets(given: () => PortalSite): void {
  let folder: string;
  let archive: string;
  let site: PortalSite;
  beforeAll(async () => {
    folder = await scratchFolder();
    archive = join(folder, "cologne.pmtiles");
    await putFile(archive, motorways());
    site = await given().beside("--map-tiles", archive);
  }, patienceMs);
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true });
  });

  test("streets of an archive are drawn under the vehicles, light and dark, from our own server only", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, requested, faults, leave } = await site.signedIn(oneVehicleEmail, { colorScheme, map: "drawn" });
      await page.goto("/portal/map");
      await vehiclesDrawn(page);
      expect(requested.filter((path) => path.startsWith("/portal/tiles/")).length).toBeGreaterThan(0);
      expect(await shareOf(page, [colours[colorScheme]])).toBeGreaterThan(0.05);
      await page.getByRole("link", { name: "OpenStreetMap" }).waitFor();
      expect(await page.locator(".map-note").count()).toBe(0);
      await expectNoBarriers(page, `the map with streets, ${colorScheme}`, [colorScheme]);
      expect(faults).toEqual([]);
      await leave();
    }
  });

  test("streets that could not be loaded come when the server is back, without a move of the map", async () => {
    const { page } = await site.signedIn(oneVehicleEmail, { map: "drawn" });
    const find = await lose(page, "**/portal/tiles/**");
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/portal/tiles/"));
    await page.goto("/portal/map");
    await failed;
    await vehiclesDrawn(page);
    expect(await shareOf(page, [colours.light])).toBe(0);
    await find();
    const answered = page.waitForResponse(/\/portal\/tiles\//);
    await comeBack(page);
    await answered;
    while ((await shareOf(page, [colours.light])) < 0.05) await vehiclesDrawn(page);
  });

  // That streets are drawn where there are tiles, and none where there are not, the tests above see.
  test("an archive that goes while the map is open leaves the coarse map, which is said, and one that comes is seen", async () => {
    const { page } = await site.signedIn(oneVehicleEmail);
    await page.goto("/portal/map");
    await vehiclesDrawn(page);
    await rm(archive);
    await until(async () => (await tilesOf(page)) === null);
    await page.locator(".maplibregl-canvas").focus();
    // Only a map that is moved asks for tiles.
    for (let moved = 0; !(await note(page).isVisible()); moved++) {
      await page.keyboard.press(moved % 2 === 0 ? "ArrowUp" : "Minus");
      await note(page)
        .waitFor({ timeout: 1_000 })
        .catch(() => {});
    }
    await page.reload();
    await note(page).waitFor();
    await vehiclesDrawn(page);
    await putFile(archive, motorways());
    await until(async () => (await tilesOf(page)) !== null);
    const answered = page.waitForResponse(/\/portal\/tiles\//);
    await page.reload();
    expect((await answered).status()).toBe(200);
    await vehiclesDrawn(page);
    expect(await note(page).isVisible()).toBe(false);
  });

  test("an archive whose tiles are damaged leaves the coarse map, which is said", async () => {
    const { page } = await site.signedIn(oneVehicleEmail);
    const whole = await tilesOf(page);
    const damaged = motorways();
    // Its header says where the tiles begin.
    await putFile(archive, damaged.fill(0, Number(new DataView(damaged.buffer).getBigUint64(56, true))));
    await until(async () => (await tilesOf(page)) !== whole);
    await page.goto("/portal/map");
    await note(page).waitFor();
    await vehiclesDrawn(page);
  });

  test("on a style of another site our names use its fonts, and its own twin is shown in the dark", async () => {
    const asked: string[] = [];
    const names = { type: "symbol", source: "here", layout: { "text-field": "Here", "text-font": ["Noto Sans Bold"] } };
    const style = (origin: string, layers: object[]) => ({
      version: 8,
      glyphs: `${origin}/fonts/{fontstack}/{range}.pbf`,
      sources: { here: { type: "geojson", data: { type: "Point", coordinates: [6.97, 50.94] } } },
      layers: [{ id: "ground", type: "background" }, ...layers],
    });
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, origin } = new URL(request.url);
        const path = decodeURIComponent(pathname);
        asked.push(path);
        const headers = { "Access-Control-Allow-Origin": "*" };
        if (path.endsWith(".pbf")) return new Response(new Uint8Array(), { headers });
        return Response.json(style(origin, path === "/light.json" ? [{ id: "names", ...names }] : []), { headers });
      },
    });
    const { origin } = server.url;
    const site = await given().beside("--map-style", `${origin}/light.json`, "--map-style-dark", `${origin}/dark.json`);
    const lookAt = async (colorScheme: "light" | "dark") => {
      asked.length = 0;
      const { page, leave } = await site.signedIn(oneVehicleEmail, { colorScheme });
      await page.goto("/portal/map");
      await vehiclesDrawn(page);
      const seen = new Set(asked.map((path) => path.replace(/\d+-\d+/, "N-M")));
      await leave();
      return seen;
    };
    expect(await lookAt("light")).toEqual(new Set(["/light.json", "/fonts/Noto Sans Bold/N-M.pbf"]));
    // A style without names says nothing of its fonts: none is asked for.
    expect(await lookAt("dark")).toEqual(new Set(["/dark.json"]));
    await site.close();
    await server.stop(true);
  });
}

/** A tile server as a customer would name one; here it has a style without tiles. */
const style = { version: 8, sources: {}, layers: [{ id: "ground", type: "background" }] };

export function testMapStyle(given: () => PortalSite): void {
  test("the map is drawn on the style of the settings; one that cannot be loaded is replaced, which is said", async () => {
    let isThere = true;
    const tileServer = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        isThere
          ? Response.json(style, { headers: { "Access-Control-Allow-Origin": "*" } })
          : new Response(null, { status: 503 }),
    });
    const site = await given().beside("--map-style", `${tileServer.url.origin}/style.json`);
    const { page, faults, requested, leave } = await site.signedIn(undefined, { map: "drawn" });
    await page.goto("/portal/map");
    await drawn(page);
    // Nothing else is asked for elsewhere.
    expect(new Set(faults)).toEqual(new Set([`asked ${tileServer.url.origin}/style.json`]));
    expect(requested.filter((path) => /countries|world/.test(path))).toEqual([]);
    isThere = false;
    await page.reload();
    await page.getByText("The map style of the settings cannot be loaded.").waitFor();
    await page.locator("[data-map=ready]").waitFor();
    await page.locator(".vehicle").first().waitFor();
    expect(await page.locator(".vehicle").count()).toBe(24);
    await leave();
    await site.close();
    await tileServer.stop(true);
  });

  test("the map's own buttons and the names of its makers are in the person's language", async () => {
    const { page } = await given().signedIn(oneVehicleEmail, { locale: "de-DE" });
    await page.goto("/portal/map");
    await page.getByRole("button", { name: "Vergrößern" }).waitFor();
    await page.getByRole("button", { name: "Verkleinern" }).waitFor();
    await page.getByText("Küsten und Grenzen: Natural Earth").waitFor();
  });
}
