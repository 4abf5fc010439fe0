import { afterAll, beforeAll, expect, test } from "bun:test";
import { type PortalSite, startPortalSite } from "../support/portal-site.ts";

/** A tile server as a customer would name one; here it has a style without tiles. */
const style = { version: 8, sources: {}, layers: [{ id: "ground", type: "background" }] };
let isThere = true;
const tileServer = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () =>
    isThere
      ? Response.json(style, { headers: { "Access-Control-Allow-Origin": "*" } })
      : new Response(null, { status: 503 }),
});
let site: PortalSite;

beforeAll(async () => {
  site = await startPortalSite("--map-style", `${tileServer.url.origin}/style.json`);
}, 60_000);

afterAll(async () => {
  await site.close();
  await tileServer.stop(true);
});

test("the map is drawn on the style of the settings, and nothing else is asked for elsewhere", async () => {
  const { page, faults, requested, leave } = await site.signedIn();
  await page.goto("/portal/map");
  await page.locator("[data-map=ready][data-drawn=true]").waitFor();
  expect(new Set(faults)).toEqual(new Set([`asked ${tileServer.url.origin}/style.json`]));
  expect(requested.filter((path) => path.includes("countries"))).toEqual([]);
  await leave();
});

test("a style that cannot be loaded is replaced by the coarse map, which says so", async () => {
  isThere = false;
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/map");
  await page.getByText("The map style of the settings cannot be loaded.").waitFor();
  await page.locator("[data-map=ready]").waitFor();
  expect(await page.locator(".vehicle").count()).toBe(24);
  await leave();
});
