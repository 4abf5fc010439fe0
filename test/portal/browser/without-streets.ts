import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { until } from "../../support/patience.ts";
import { subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { archiveOf } from "../../support/street-tiles.ts";
import { account, emptyServer } from "./setup.ts";

const phone = { viewport: { width: 360, height: 740 } };
const android = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36";

/** A browser whose phone sends what it is given. */
const withSheet = `
  globalThis.sent = [];
  navigator.canShare = () => true;
  navigator.share = async (data) => { sent.push(data); };`;

export function testWithoutStreets(given: () => PortalSite): void {
  test("the owner uploads streets, which the map has at once; a wrong file is refused in words", async () => {
    const { program, link, close } = await emptyServer();
    const { page, leave } = await given().visitor({ ...phone, baseURL: program.url, alsoAsks: [program.url] });
    const headers = { "X-Odograph-Portal": "1", Origin: program.url };
    const data = { ...account, token: new URL(link).hash.slice(1) };
    expect((await page.request.post("/portal/api/setup", { data, headers })).status()).toBe(201);
    await page.goto("/portal/map");
    await page.getByRole("link", { name: "Streets are not set up" }).click();
    await page.getByRole("heading", { name: "2. Upload it" }).waitFor();
    await expectNoBarriers(page, "streets that are not set up");
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    const choose = (name: string, bytes: Uint8Array) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
    const archive = archiveOf({ text: "streets", maxZoom: 3 });
    await choose("letter.pmtiles", new TextEncoder().encode("Dear reader, ".repeat(100)));
    await page.getByText("This is no PMTiles file.").waitFor();
    await choose("cut.pmtiles", archive.slice(0, archive.length - 10));
    await page.getByText("The file is incomplete").waitFor();
    await choose("Région.pmtiles", archive);
    await page.getByText("Région.pmtiles is in use.").first().waitFor();
    await page.getByText("The map has streets.", { exact: true }).waitFor();
    await expectNoBarriers(page, "streets that are in use");
    await page.getByRole("link", { name: "See the map" }).click();
    await page.getByRole("heading", { level: 1, name: "Vehicles" }).waitFor();
    expect(await page.getByText("Streets are not set up").count()).toBe(0);
    await page.goBack();
    page.once("dialog", (dialog) => dialog.accept());
    await page.getByRole("button", { name: "Remove re-gion.pmtiles" }).click();
    await page.getByText("Streets are not set up.").waitFor();
    await leave();
    await close();
  });

  test("on a phone a link is sent with three taps; who opens it reads the town and opens the spot with one", async () => {
    const { page, leave } = await given().signedIn(subAccountEmail, { ...phone, userAgent: android, once: true });
    await page.context().addInitScript(withSheet);
    await page.goto("/portal/map");
    await page.locator(".vehicles li button").first().click();
    const name = await page.locator("#card-heading").innerText();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    await page.getByRole("button", { name: "Send…" }).click();
    const sent = () => page.evaluate("sent") as Promise<{ title: string; url: string }[]>;
    await until(async () => (await sent()).length === 1);
    const [{ title, url } = { title: "", url: "" }] = await sent();
    expect([title, url]).toEqual([name, expect.stringMatching(/\/share#[\w-]{22}$/)]);
    // It is where it is needed: nothing has to be confirmed.
    await page.getByRole("button", { name: "Done" }).click();
    await leave();

    const visitor = await given().visitor({ ...phone, userAgent: android, once: true });
    await visitor.page.goto(url);
    await visitor.page.locator(".share-place").waitFor();
    expect(await visitor.page.locator(".share-place").innerText()).toMatch(/\p{Lu}\p{Ll}+/u);
    const open = visitor.page.getByRole("link", { name: new RegExp(`^Open in maps: ${name}`) });
    expect(await open.getAttribute("href")).toMatch(/^geo:-?\d+\.\d{6},-?\d+\.\d{6}\?q=/);
    // Neither a fence nor a street is asked for: what is the fleet's stays its own.
    expect(visitor.requested.filter((path) => /places|geofences/.test(path))).toEqual([]);
    await visitor.leave();
  });
}
