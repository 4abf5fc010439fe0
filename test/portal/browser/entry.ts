import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { picture } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const focused = (page: Page) => page.evaluate<string>("document.activeElement.name");

export function testEntry(given: () => PortalSite): void {
  test("what is wrong with a field is said beside it; what is doubtful is asked, and can be saved", async () => {
    const site = await given().beside();
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/fleet/vehicles");
    await page.getByRole("button", { name: "Add a vehicle" }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.locator("button[type=submit]");
    await save.click();
    expect(await dialog.getByText("Fill this in.").count()).toBe(2);
    expect(await focused(page)).toBe("name");
    await expectNoBarriers(page, "fields that are missing");
    await picture(page, "fields-missing");
    await dialog.getByLabel("Name").first().fill("Doubtful");
    await dialog.getByLabel("IMEI").fill("356307042441014");
    await dialog.getByLabel("IMEI").press("Tab");
    await dialog.getByText("Is that typed right?", { exact: false }).waitFor();
    expect(await dialog.getByText("Fill this in.").count()).toBe(0);
    await expectNoBarriers(page, "a doubtful IMEI");
    await picture(page, "doubtful-imei");
    await dialog.getByLabel("IMEI").fill("356307042441013");
    await dialog.getByText("Is that typed right?", { exact: false }).waitFor({ state: "detached" });
    await dialog.getByLabel("IMEI").fill("356307042441014");
    await save.click();
    await page.getByText("Doubtful").first().waitFor();

    await page.goto("/portal/fleet/people");
    await page.getByRole("button", { name: "Invite a person" }).click();
    const email = dialog.getByLabel("E-mail");
    await email.fill("ana@nordring");
    await email.press("Tab");
    await dialog.getByText("Is that the whole address?", { exact: false }).waitFor();
    await email.fill("ana");
    await save.click();
    await dialog.getByText("This is no e-mail address.", { exact: false }).waitFor();
    await picture(page, "no-email");
    await site.close();
  });
}
