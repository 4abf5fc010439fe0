import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { account, emptyServer } from "./setup.ts";

const phone = { viewport: { width: 390, height: 844 } };

export function testLook(given: () => PortalSite): void {
  test("an owner with nothing yet looks at a made-up fleet and what it would have mailed, comes back and erases it", async () => {
    const { program, link, close } = await emptyServer();
    const { page, leave } = await given().visitor({ ...phone, baseURL: program.url, alsoAsks: [program.url] });
    const headers = { "X-Odograph-Portal": "1", Origin: program.url };
    const data = { ...account, token: new URL(link).hash.slice(1) };
    expect((await page.request.post("/portal/api/setup", { data, headers })).status()).toBe(201);
    await page.goto("/portal/start");
    await page.getByRole("button", { name: "Nothing yet, just look" }).click();
    await page.getByRole("button", { name: "Make it" }).waitFor();
    await expectNoBarriers(page, "a fleet to look at");
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByText("It is being made").waitFor();
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.getByText("This fleet is made up.").waitFor();
    await page.getByText("Van on order").first().waitFor();
    expect(await overhang(page)).toBe(0);
    await page.goto("/portal/mails");
    const mail = page.locator(".kept-mail").filter({ hasText: "Kilometres of yesterday" });
    await mail.locator("summary").click();
    await mail.getByText("Spreebogen Logistics").first().waitFor();
    await expectNoBarriers(page, "mails of a made-up fleet");
    expect(await overhang(page)).toBe(0);
    const shown = page.context().waitForEvent("page");
    await mail.getByRole("link", { name: "Show as in a mailbox" }).click();
    const asMailed = await shown;
    await asMailed.getByText("Spreebogen Logistics").first().waitFor();
    await asMailed.close();
    await page.getByRole("button", { name: "Back to your account" }).click();
    await page.getByRole("button", { name: "Erase it" }).click();
    await page.getByRole("button", { name: "Make it" }).waitFor();
    await leave();
    await close();
  });
}
