import { expect } from "bun:test";
import { drawn } from "../../support/browser-map.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { oneVehicleEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

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
    const { page, leave } = await given().signedIn(oneVehicleEmail, { locale: "de-DE" });
    await page.goto("/portal/map");
    await page.getByRole("button", { name: "Vergrößern" }).waitFor();
    await page.getByRole("button", { name: "Verkleinern" }).waitFor();
    await page.getByText("Küsten und Grenzen: Natural Earth").waitFor();
    await leave();
  });
}
