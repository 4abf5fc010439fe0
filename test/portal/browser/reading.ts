import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { goTo, makeTimersLast, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { until } from "../../support/patience.ts";
import { oneVehicleEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

/** Languages and units: the browser's, the account's, a person's own. */
export function testReading(given: () => PortalSite): void {
  test("the portal speaks the browser's language, and then the one that a person chose, everywhere", async () => {
    const site = given();
    const mira = await site.signedIn(oneVehicleEmail, { map: "none", locale: "de-AT" });
    const { page } = mira;
    await page.goto("/portal/account");
    await page.getByRole("heading", { name: "Sprache und Einheiten" }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("de");
    await page.getByLabel("Sprache", { exact: true }).selectOption("pt");
    await page.getByRole("heading", { name: "Idioma e unidades" }).waitFor();
    const distances = page.getByLabel("Distâncias e velocidades");
    await distances.selectOption("mi");
    // It is what was chosen before until that is saved.
    await until(async () => (await distances.inputValue()) === "mi");
    await expectNoBarriers(page, "language and units");
    await mira.leave();

    // Another browser, another day.
    const later = await site.signedIn(oneVehicleEmail, { map: "none", locale: "en-GB" });
    await later.page.goto("/portal/account");
    await later.page.getByRole("heading", { name: "Idioma e unidades" }).waitFor();
    expect(await later.page.getByLabel("Distâncias e velocidades").inputValue()).toBe("mi");
    await later.page.getByLabel("Idioma", { exact: true }).selectOption("");
    await later.page.getByRole("heading", { name: "Language and units" }).waitFor();
  });

  test("the owner chooses for everybody who has not chosen", async () => {
    const olga = await given().signedIn(undefined, { map: "none" });
    await olga.page.goto("/portal/account");
    const forAll = olga.page.getByRole("region", { name: "For everybody in the account" });
    await forAll.getByLabel("Fuel").selectOption("gal");
    const own = olga.page.getByRole("region", { name: "Language and units" });
    await own.getByLabel("Fuel").locator("option", { hasText: "Same as the account" }).waitFor({ state: "attached" });
    await forAll.getByLabel("Fuel").selectOption("");
    await own.getByLabel("Fuel").locator("option", { hasText: "Default: Litres" }).waitFor({ state: "attached" });
  });

  test("on a phone every view is reached, in the longest language", async () => {
    const { page } = await given().signedIn(undefined, {
      map: "none",
      locale: "de-DE",
      viewport: { width: 360, height: 740 },
    });
    await page.goto("/portal/keys");
    await page.getByText("Olga", { exact: false }).first().waitFor({ state: "attached" });
    await page.locator("summary.menu-button").click();
    await page.getByRole("link", { name: "Nutzung" }).click();
    await page.getByRole("heading", { name: "Nutzung" }).waitFor();
    // The menu does not stay before the view.
    expect(await page.locator(".menu-panel").isVisible()).toBe(false);
    for (const path of ["/usage", "/keys", "/account"]) {
      await goTo(page, path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await overhang(page)).toBe(0);
    }
  });

  test("the button of a long dialog is in sight, and a name that is too long cannot be typed", async () => {
    const { page } = await given().signedIn(undefined, { map: "none", viewport: { width: 1280, height: 720 } });
    await page.goto("/portal/keys");
    await page.getByRole("button", { name: /Create/ }).click();
    const box = await page.getByRole("button", { name: "Create the key" }).boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(720);
    await page.getByLabel("Name").pressSequentially("n".repeat(103), { delay: 0 });
    expect(await page.getByLabel("Name").inputValue()).toBe("n".repeat(100));
    await page.getByText("0 characters left").waitFor();
  });

  test("Back returns to the row that one came from, and the navigation carries the tags", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/portal/alerts?severity=critical&severity=warning&severity=info");
    // The page goes back to its place while its rows come, but not for ever.
    await makeTimersLast(page);
    await page.locator(".alert").nth(8).scrollIntoViewIfNeeded();
    await until(() => page.evaluate<boolean>("scrollY > 200"));
    const before = await page.evaluate<number>("scrollY");
    await page.locator(".alert a").nth(16).click();
    await page.waitForURL(/\/portal\/map\//);
    expect(await page.evaluate<number>("scrollY")).toBe(0);
    await page.goBack();
    await page.locator(".alert").nth(8).waitFor();
    await until(() => page.evaluate<boolean>(`Math.abs(scrollY - ${before}) < 2`));
    await goTo(page, "/map?tag=north%20yard");
    const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    expect(await links.nth(3).getAttribute("href")).toBe("/portal/reports?tag=north+yard");
  });

  test("a view that is first opened while the server is away can be opened when it is back", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/portal/account");
    await page.getByRole("heading", { name: "Where you are signed in" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByText("The server cannot be reached.").first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "Usage" }).waitFor();
  });
}
