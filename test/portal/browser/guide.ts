import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const phone = { viewport: { width: 390, height: 844 } };

export function testGuide(given: () => PortalSite): void {
  test("the guide is found from the portal, can be searched while typing, and leads to the section", async () => {
    const { page, leave } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/docs");
    await page.getByRole("link", { name: "Guide" }).first().click();
    await page.waitForURL("**/docs/guide");
    await page.keyboard.press("/");
    await page.keyboard.type("restore a backup");
    await page.getByRole("link", { name: /^Backup and restore Running it in production/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("link", { name: /^Backup and restore Running it in production/ }).click();
    await page.waitForURL("**/docs/guide/operations#backup-and-restore");
    await expectNoBarriers(page, "a page of the guide");
    await leave();
  });

  test("the guide fits a phone, and its contents open there", async () => {
    const { page, leave } = await given().signedIn(undefined, { ...phone, map: "none" });
    await page.goto("/docs/guide/operations");
    expect(await overhang(page)).toBe(0);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("searchbox").fill("upgrade");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/guide/search?q=upgrade");
    await page.getByRole("heading", { name: "Search" }).waitFor();
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "the guide's search", ["light"]);
    await leave();
  });
}
