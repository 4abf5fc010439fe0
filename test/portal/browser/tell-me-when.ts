import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { goTo, overhang, picture } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { helpCalls, ownerEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const rowOf = (page: Page, type: string) => page.locator(`tr[data-type=${type}]`);

async function change(page: Page, type: string): Promise<void> {
  await rowOf(page, type)
    .getByRole("button", { name: /^Change/ })
    .click();
  await page.locator("dialog").waitFor();
}

/** How often a person clicks from here on. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    window.clicks = 0;
    addEventListener("pointerdown", () => window.clicks++, true);
  `);
  return () => page.evaluate<number>("window.clicks");
}

export function testTellMeWhen(given: () => PortalSite): void {
  test("a night rule with a mail takes five clicks, a mail comes, and what would never send is not saved in silence", async () => {
    const server = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const site = await given().beside(...mail, "--public-url", "https://fleet.example");
    const { page } = await site.signedIn(undefined, { map: "none" });
    // Nothing is mailed to an address that is not confirmed, which a test mail says.
    await page.goto("/portal/notifications");
    await page.getByRole("button", { name: "Send a test mail" }).click();
    await page.getByText(`Nothing was mailed: confirm the address ${ownerEmail} first.`).waitFor();
    const asked = server.next();
    await page.getByRole("button", { name: "Send me the link" }).click();
    const address = /https:\/\/fleet\.example(\/portal\/link#[\w-]{43})/.exec((await asked).text)?.[1] ?? "";
    const mailbox = (await site.visitor()).page;
    await mailbox.goto(address);
    await mailbox.getByRole("button", { name: "Confirm" }).click();
    await mailbox.getByRole("heading", { name: "The address is confirmed" }).waitFor();

    // From any page: where alerts are read, one click less.
    await page.goto("/portal/yesterday");
    const clicks = await countClicks(page);
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Fleet" }).click();
    await page.getByRole("link", { name: "Alert rules" }).click();
    await rowOf(page, "sos").getByText("Nobody").waitFor();
    await page.getByRole("button", { name: "Switch on the rule: Unauthorised movement" }).click();
    expect(await page.getByLabel("Raise this alert").isChecked()).toBe(true);
    await page.getByLabel("Mail me").check();
    await picture(page, "rule-with-mail");
    await page.getByRole("button", { name: "Save" }).click();
    await rowOf(page, "unauthorised_movement").getByText("On, Every day 20:00–06:00").waitFor();
    await rowOf(page, "unauthorised_movement").getByText("You", { exact: true }).waitFor();
    expect(await clicks()).toBe(5);
    await change(page, "sos");
    await page.getByLabel("Mail me").check();
    await page.getByText("Mail others").click();
    await expectNoBarriers(page, "a rule and its mails");
    // A person who sees none of the vehicles is named before anything is stored.
    await page.getByRole("checkbox", { name: "Nils Berg" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Nils Berg: this person sees none of these vehicles", { exact: false }).waitFor();
    await picture(page, "rule-mails-nobody");
    await page.getByRole("checkbox", { name: "Nils Berg" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await rowOf(page, "sos").getByText("You", { exact: true }).waitFor();
    await picture(page, "rules-mailed");
    // Whom it mails now is said before it is switched off.
    await change(page, "sos");
    await page.getByLabel("Raise this alert").uncheck();
    await page.getByText("No longer mailed: You").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();

    // One notification of both, which says what feeds it.
    await goTo(page, "/notifications");
    const card = page.locator(".person-card");
    await card.filter({ hasText: "SOS, Unauthorised movement (Critical, Warning)" }).waitFor();
    expect(await card.count()).toBe(1);
    const arrived = server.next();
    await site.load([{ type: "frame", imei: helpCalls.imei, recorded_at: formatInstant(Date.now()), event: "sos" }]);
    expect((await arrived).text).toContain(`SOS: ${helpCalls.name}`);
    const tested = server.next();
    await page.getByRole("button", { name: "Send a test mail" }).click();
    await page.getByText(`A test mail was handed over for ${ownerEmail}.`, { exact: false }).waitFor();
    expect((await tested).text).toContain("This is a test mail.");

    // A rule that is off, and one that is raised with another severity.
    await page.getByRole("button", { name: "Add a notification" }).click();
    await page.getByText(/\d+ rules on/).waitFor();
    await picture(page, "notification-of-all");
    await page.getByLabel("Which alerts").selectOption("some");
    await page.getByRole("checkbox", { name: "Geofence entered" }).check();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Nothing is ever mailed: no rule in force raises such alerts", { exact: false }).waitFor();
    const info = dialog.getByRole("checkbox", { name: "Info" });
    expect(await info.isChecked()).toBe(true);
    expect(await dialog.getByRole("checkbox", { name: "Critical (none of these alerts)" }).isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Save all the same" }).waitFor();
    await picture(page, "notification-silent");
    await expectNoBarriers(page, "a notification that nothing feeds");
    const link = dialog.getByRole("link", { name: "Switch on the rule: Geofence entered" });
    expect(await link.getAttribute("href")).toBe("/portal/fleet/rules?edit=geofence_enter&on=true");
    await dialog.getByRole("button", { name: "Save all the same" }).click();
    const silent = card.filter({ hasText: "Geofence entered (Info)" });
    await silent.getByText("Nothing is ever mailed", { exact: false }).waitFor();
    await picture(page, "notifications-fed");
    await expectNoBarriers(page, "notifications and their rules");
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overhang(page)).toBe(0);
    await picture(page, "notifications-fed-phone");
    await page.setViewportSize({ width: 1280, height: 800 });

    // From there the rule is switched on.
    await silent.getByRole("link", { name: "Switch on the rule: Geofence entered" }).click();
    expect(await page.getByLabel("Raise this alert").isChecked()).toBe(true);
    await page.getByRole("checkbox", { name: "Depot Hamburg" }).check();
    expect(await page.getByLabel("Mail me").isChecked()).toBe(true);
    await page.getByRole("button", { name: "Save" }).click();
    await rowOf(page, "geofence_enter").getByText("You", { exact: true }).waitFor();
    await goTo(page, "/notifications");
    await card.filter({ hasText: "Geofence entered (Info)" }).waitFor();
    expect(await page.getByText("Nothing is ever mailed", { exact: false }).count()).toBe(0);
    await site.close();
    await server.close();
  });
}
