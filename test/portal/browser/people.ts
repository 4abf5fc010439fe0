import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { goTo } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import {
  ofSubAccount,
  oneVehicleEmail,
  playedBack,
  portalPassword,
  subAccountEmail,
} from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

export function testPeople(given: () => PortalSite): void {
  test("a sub-account sees only its own, and what the owner gives it at once", async () => {
    const site = given();
    const sam = await site.signedIn(subAccountEmail, { withoutMap: true });
    const names = () => sam.page.locator(".vehicle-name").allTextContents();
    await sam.page.goto("/portal/map");
    await sam.page.locator(".vehicle-name").first().waitFor();
    expect(await names()).toEqual(["Boreas 01", "Ceres 01"]);
    await goTo(sam.page, "/keys");
    await sam.page.getByText("No keys yet").waitFor();
    // A vehicle of others is not there, whoever knows its address.
    await goTo(sam.page, `/map/${playedBack.id}`);
    await sam.page.getByText("This is not there, or not visible to you.").waitFor();

    const olga = await site.signedIn();
    await olga.page.goto("/portal/account");
    await olga.page.getByRole("button", { name: "Choose vehicles of Sam Okafor" }).click();
    await olga.page.getByLabel(/Search/).fill("atlas 01");
    await olga.page.getByRole("checkbox", { name: /Atlas 01/ }).check();
    await expectNoBarriers(olga.page, "choosing vehicles");
    await olga.page.getByRole("button", { name: "Save" }).click();
    await olga.page.getByText(`${ofSubAccount.length + 1} vehicles`, { exact: true }).waitFor();

    await goTo(sam.page, "/account");
    await sam.page.getByRole("link", { name: "Atlas 01" }).click();
    await sam.page.getByRole("heading", { name: "Atlas 01" }).waitFor();
    // The rows may be painted after the card.
    await sam.page.locator(".vehicle-name").first().waitFor();
    expect(await names()).toEqual(["Atlas 01", "Boreas 01", "Ceres 01"]);
    await Promise.all([sam.leave(), olga.leave()]);
  });

  test("a password is changed, by whoever knows the old one, and ends the other sessions", async () => {
    const site = given();
    const [here, elsewhere] = [await site.signedIn(oneVehicleEmail), await site.signedIn(oneVehicleEmail)];
    const { page } = here;
    await page.goto("/portal/account");
    const change = async (current: string, next: string, again = next) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("New password again").fill(again);
      await page.getByRole("button", { name: "Change the password" }).click();
    };
    await change(portalPassword, "another password", "another passwort");
    await page.getByText("The two are not the same").waitFor();
    await change("not this one", "another password");
    await page.getByText("This is not your password.").waitFor();
    await expectNoBarriers(page, "a refused password");
    await change(portalPassword, "another password");
    await page.getByText("Your password is changed.").waitFor();
    expect((await page.request.get("/portal/api/session")).status()).toBe(200);
    expect((await elsewhere.page.request.get("/portal/api/session")).status()).toBe(401);
    await change("another password", portalPassword);
    await page.getByText("Your password is changed.").waitFor();
    await Promise.all([here.leave(), elsewhere.leave()]);
  });
}
