import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

export function testShares(given: () => PortalSite): void {
  test("a link is made, opened without signing in, and an open page ends when it is revoked", async () => {
    const { page } = await given().signedIn();
    await page.goto("/portal/shares");
    await page.getByRole("button", { name: "Share vehicles" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Order 4711");
    await page.getByRole("button", { name: "Make the link" }).click();
    // Nothing is chosen yet.
    await page.getByText("Choose at least one vehicle.").waitFor();
    const box = page.getByRole("dialog").locator(".assign-list input").first();
    const name = await page.getByRole("dialog").locator(".assign-name").first().innerText();
    await box.check();
    await page.getByLabel("The track of a period").check();
    await expectNoBarriers(page, "making a share link");
    await page.getByRole("button", { name: "Make the link" }).click();
    const url = await page.getByTestId("made-link").innerText();
    expect(url).toMatch(/\/share#[\w-]{22}$/);
    await page.getByLabel("I have copied the link").check();
    await page.getByRole("button", { name: "Done" }).click();

    const visitor = await given().visitor({ viewport: { width: 360, height: 740 } });
    await visitor.page.goto(url);
    await visitor.page.getByRole("heading", { name: "Shared vehicles" }).waitFor();
    await visitor.page.getByRole("button", { name }).waitFor();
    expect(await visitor.page.locator(".share-vehicle").count()).toBe(1);
    expect(await overhang(visitor.page)).toBeLessThanOrEqual(0);
    await expectNoBarriers(visitor.page, "what a share link opens");
    // No request has the secret in its address, and none asks for anything else.
    const secret = new URL(url).hash.slice(1);
    expect(visitor.requested.filter((path) => path.includes(secret))).toEqual([]);
    const asked = new Set(visitor.requested.filter((path) => path.includes("/api/")).map((path) => path.split("?")[0]));
    expect([...asked].filter((path) => !path?.startsWith("/portal/api/share"))).toEqual([]);

    await page.getByRole("button", { name: "Revoke Order 4711" }).click();
    await page.getByRole("button", { name: "Revoke the link" }).click();
    await page.getByText("No link is open.").waitFor();
    await visitor.page.getByRole("heading", { name: "This link has ended" }).waitFor();
    expect(await visitor.page.getByText(name).count()).toBe(0);
    await page.getByLabel(/^Show 1 ended$/).check();
    await page.getByText("Revoked", { exact: true }).waitFor();
  });

  test("a sub-account shares from the card of a vehicle; Escape closes the dialog and leaves the card", async () => {
    const { page } = await given().signedIn(subAccountEmail);
    await page.goto("/portal/map");
    await page.locator(".vehicles li button").first().click();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByText("1 chosen, at most 20").waitFor();
    // Nothing has to be typed: the link is named as the vehicle is, until a person names it otherwise.
    const name = await page.locator("#card-heading").innerText();
    expect(await page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe(name);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Share", exact: true }).waitFor();
  });

  test("a link that never was says so in the language of the browser", async () => {
    const { page } = await given().visitor({ locale: "de-DE" });
    // Not in that of somebody who signed in there.
    await page.addInitScript("localStorage.setItem('odograph-language', 'es')");
    await page.goto("/share#AAAAAAAAAAAAAAAAAAAAAA");
    await page.getByRole("heading", { name: "Dieser Link ist nicht mehr gültig" }).waitFor();
    expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
  });
}
