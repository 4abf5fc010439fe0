import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang, picture } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { helpCalls, ownerEmail, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const cards = (page: Page) => page.locator(".person-card");

export function testNotifications(given: () => PortalSite): void {
  test("notifications are chosen on a page, a mail comes, and one click in it ends them", async () => {
    const server = await startMailServer({ refused: [subAccountEmail] });
    const url = "https://fleet.example";
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const site = await given().beside(...mail, "--public-url", url);
    const { page } = await site.signedIn();
    await page.goto("/portal/notifications");
    await page.getByText("No notifications yet").waitFor();
    // Nothing is mailed to the owner before the address is confirmed.
    await page.getByText(`Your e-mail ${ownerEmail} is not confirmed.`).waitFor();
    await picture(page, "unconfirmed");
    await expectNoBarriers(page, "an address that is not confirmed");
    const asked = server.next();
    await page.getByRole("button", { name: "Send me the link" }).click();
    await page.getByText(`A link was mailed to ${ownerEmail}.`).waitFor();
    await picture(page, "link-mailed");
    const confirmation = await asked;
    expect(confirmation.to).toEqual([ownerEmail]);
    const address = /https:\/\/fleet\.example(\/portal\/link#[\w-]{43})/.exec(confirmation.text)?.[1] ?? "";
    const mailbox = (await site.visitor()).page;
    await mailbox.goto(address);
    await mailbox.getByRole("heading", { name: "Confirm your address" }).waitFor();
    await mailbox.getByText(ownerEmail).waitFor();
    await picture(mailbox, "confirm");
    await expectNoBarriers(mailbox, "confirming an address");
    await page.reload();
    await page.getByText("is not confirmed.").waitFor();
    await mailbox.getByRole("button", { name: "Confirm" }).click();
    await mailbox.getByRole("heading", { name: "The address is confirmed" }).waitFor();
    await picture(mailbox, "confirmed");
    await page.reload();
    await page.getByText("No notifications yet").waitFor();
    expect(await page.locator(".confirm-email").count()).toBe(0);
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "no notifications");
    await page.getByRole("button", { name: "Add a notification" }).click();
    await page.getByLabel("Which alerts").selectOption("some");
    await page.getByRole("checkbox", { name: "SOS" }).check();
    await page.getByLabel("Vehicles", { exact: true }).selectOption("some");
    await page.getByRole("checkbox", { name: new RegExp(helpCalls.name) }).check();
    await page.getByRole("checkbox", { name: "No mails in certain hours" }).check();
    await picture(page, "dialog");
    await expectNoBarriers(page, "choosing a notification");
    await page.getByRole("checkbox", { name: "No mails in certain hours" }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await cards(page).filter({ hasText: "SOS (Critical)" }).waitFor();
    expect(await cards(page).innerText()).toContain(helpCalls.name);
    // The owner sets one for another person.
    await page.getByRole("button", { name: "Add a notification" }).click();
    await page.getByLabel("Who is mailed").selectOption({ label: "Sam Okafor (e-mail not confirmed)" });
    await page.getByText("Nothing is mailed to people whose e-mail is not confirmed.").waitFor();
    await picture(page, "dialog-for-another");
    await page.getByLabel("When", { exact: true }).selectOption("hour");
    await page.getByRole("button", { name: "Save" }).click();
    await cards(page).filter({ hasText: "For Sam Okafor" }).waitFor();
    const arrived = server.next();
    const now = formatInstant(Date.now());
    await site.load([{ type: "frame", imei: helpCalls.imei, recorded_at: now, event: "sos" }]);
    const { text, to } = await arrived;
    expect(to).toEqual([ownerEmail]);
    expect(text).toContain(`SOS: ${helpCalls.name}`);
    await page.reload();
    await page.getByRole("row", { name: /Sent/ }).waitFor();
    await picture(page, "page");
    await expectNoBarriers(page, "notifications");
    // To unsubscribe by the mail needs no session. Opening the link alone ends nothing.
    const link = /https:\/\/fleet\.example(\/portal\/unsubscribe\?t=[\w-]{64})/.exec(text)?.[1] ?? "";
    const stranger = (await site.visitor()).page;
    await stranger.goto(link);
    await stranger.getByRole("heading", { name: "Stop these mails?" }).waitFor();
    await picture(stranger, "unsubscribe");
    await expectNoBarriers(stranger, "unsubscribing");
    await page.reload();
    await cards(page).first().waitFor();
    expect(await page.getByText("Unsubscribed").count()).toBe(0);
    await stranger.getByRole("button", { name: "Stop these mails" }).click();
    await stranger.getByText("You will get no more of these mails").waitFor();
    await page.reload();
    await page.getByText("You have unsubscribed. Nobody else can start these mails again.").waitFor();
    await page.getByRole("button", { name: "Resume: SOS (Critical)" }).click();
    await page.getByRole("button", { name: "Pause: SOS (Critical)" }).waitFor();
    await page.getByRole("button", { name: "Remove: SOS (Critical)" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove: SOS (Critical)" }).waitFor({ state: "detached" });
    // A sub-account sees its own, on a phone, in the dark, in German.
    const phone = await site.signedIn(subAccountEmail, {
      viewport: { width: 360, height: 720 },
      colorScheme: "dark",
      locale: "de-DE",
    });
    await phone.page.goto("/portal/notifications");
    await cards(phone.page).first().waitFor();
    expect(await cards(phone.page).count()).toBe(1);
    expect(await overhang(phone.page)).toBe(0);
    await picture(phone.page, "phone");
    await expectNoBarriers(phone.page, "notifications on a phone");
    // Who has unsubscribed is the only one to undo it, which the owner sees.
    await phone.page.getByRole("button", { name: /^Pausieren: / }).click();
    await phone.page.getByText("Sie haben abbestellt.").waitFor();
    await picture(phone.page, "phone-unsubscribed");
    await page.reload();
    await page.getByText("Sam Okafor has unsubscribed. Only Sam Okafor can start these mails again.").waitFor();
    expect(await page.getByRole("button", { name: /^Resume: / }).count()).toBe(0);
    await picture(page, "unsubscribed");
    await page.goto("/portal/fleet/people");
    await page.getByText("E-mail not confirmed").first().waitFor();
    await picture(page, "people-unconfirmed");
    await expectNoBarriers(page, "people whose address is not confirmed");
    await site.close();
    await server.close();
  });
}
