import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang, picture } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const screens = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** What a person sets in the browser: 16 pixels is what it comes with. A picture of a whole page takes it back. */
async function setTextSize(page: Page, standard: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard, fixed: Math.round((standard * 13) / 16) } });
}

/** Each view, and what is there once it is ready. */
const views: Readonly<Record<string, string>> = {
  "/alerts": ".alert",
  "/fleet/rules": "tr[data-type=sos]",
  "/notifications": ".empty",
  "/yesterday": ".vehicle-bars tbody tr",
  "/fleet/people": ".person-card",
  "/keys": ".empty, .table-cards",
  "/fleet/vehicles": ".table-frame tbody tr",
  "/reports/mileage": ".report-table tbody tr",
  "/account": "form",
};

export function testLargeText(given: () => PortalSite): void {
  test("with text twice as large, on a desk and on a phone, nothing is off the screen and every dialog can be saved", async () => {
    const { page } = await given().signedIn(undefined, { map: "none", once: true });
    const beyond: Record<string, number> = {};
    for (const [screen, size] of Object.entries(screens)) {
      await page.setViewportSize(size);
      for (const [path, ready] of Object.entries(views)) {
        await setTextSize(page, 32);
        await page.goto(`/portal${path}`);
        await page.locator(ready).first().waitFor();
        expect(await page.evaluate<string>("getComputedStyle(document.body).fontSize")).toBe("30px");
        const wide = await overhang(page);
        if (wide > 0) beyond[`${screen} ${path}`] = wide;
        await picture(page, `large-text-${screen}${path.replaceAll("/", "-")}`);
      }
      await setTextSize(page, 32);
      await page.goto("/portal/fleet/rules?edit=unauthorised_movement&on=true");
      const save = page.getByRole("button", { name: "Save" });
      await save.scrollIntoViewIfNeeded();
      const box = await save.boundingBox();
      expect(box !== null && box.x >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height).toBe(
        true,
      );
      await picture(page, `large-text-${screen}-dialog`);
    }
    expect(beyond).toEqual({});
    await expectNoBarriers(page, "a rule with large text on a phone");
    await setTextSize(page, 32);
    // Six signs without room for their names still have them.
    await page.goto("/portal/alerts");
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Reports" }).click();
    await page.getByRole("heading", { name: "Reports", level: 1 }).waitFor();

    const { page: stranger } = await given().visitor({ once: true, viewport: screens.phone });
    await setTextSize(stranger, 32);
    await stranger.goto("/portal/sign-in");
    await stranger.getByRole("button", { name: "Sign in" }).scrollIntoViewIfNeeded();
    expect(await overhang(stranger)).toBe(0);
  });
}
