import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang, picture, pictures } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { until } from "../../support/patience.ts";
import { ownerEmail, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { runOdograph } from "../../support/program.ts";
import { filesOf } from "../../support/reported-fleet.ts";

const cards = (page: Page) => page.locator(".person-card");

export function testPlannedReports(given: () => PortalSite): void {
  test("a report is planned as it is filtered, sent now to each who gets it, paused and removed", async () => {
    const server = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const site = await given().beside(...mail, "--public-url", "https://fleet.example");
    const { page } = await site.signedIn();
    await page.goto("/portal/reports/mileage?period=last-week&sort=vehicle");
    await page.getByRole("link", { name: "Planned reports" }).waitFor();
    await page.locator(".report-table").waitFor();
    await picture(page, "planned-report");
    await page.getByRole("button", { name: "Send regularly" }).click();
    await page.getByLabel("How often").selectOption("day");
    await page.getByLabel("Name").fill("Every morning");
    await page.getByRole("checkbox", { name: "Sam Okafor" }).check();
    await page.getByText("Nothing is mailed to people whose e-mail is not confirmed.").waitFor();
    await picture(page, "planned-dialog");
    await expectNoBarriers(page, "planning a report");
    await page.getByRole("button", { name: "Save" }).click();
    await cards(page).filter({ hasText: "Every morning" }).waitFor();
    expect(await cards(page).innerText()).toContain("Every day, about yesterday, at 06:00");
    expect(await cards(page).innerText()).toContain("Sam Okafor (e-mail not confirmed)");
    await picture(page, "planned-unconfirmed");
    for (const email of [ownerEmail, subAccountEmail]) {
      expect((await runOdograph(["users", "confirm", email, "--data", site.directory])).code).toBe(0);
    }
    await page.getByRole("button", { name: "Send now: Every morning" }).click();
    await until(() => server.received.length === 2);
    const receivers = server.received.flatMap(({ to }) => to);
    expect(receivers.sort()).toEqual([ownerEmail, subAccountEmail].sort());
    const rowsOf = (email: string) => {
      const found = server.received.find(({ to }) => to.includes(email));
      const [file = ""] = found ? [...filesOf(found).values()] : [];
      return file.trimEnd().split("\r\n").length;
    };
    expect(rowsOf(ownerEmail)).toBeGreaterThan(rowsOf(subAccountEmail));
    const html = /<!doctype html>[\s\S]*<\/html>/.exec(server.received[0]?.text ?? "")?.[0] ?? "";
    if (pictures !== undefined) await Bun.write(`${pictures}/mail.html`, html);
    // In a mail program at night, on a phone: light on dark, and only the table is wider than the screen.
    const mailProgram = await page.context().newPage();
    await mailProgram.setViewportSize({ width: 360, height: 720 });
    await mailProgram.emulateMedia({ colorScheme: "dark" });
    await mailProgram.setContent(html);
    const colour = await mailProgram.evaluate<string>("getComputedStyle(document.querySelector('.rows td')).color");
    expect(colour).toBe("rgb(231, 238, 241)");
    expect(await overhang(mailProgram)).toBe(0);
    await mailProgram.close();
    await page.reload();
    await page.getByRole("row", { name: /Sent/ }).first().waitFor();
    await picture(page, "planned-page");
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "planned reports");
    // A sub-account says whether it wants what the owner planned, on a phone, in the dark, in German.
    const phone = await site.signedIn(subAccountEmail, {
      viewport: { width: 360, height: 720 },
      colorScheme: "dark",
      locale: "de-DE",
    });
    await phone.page.goto("/portal/reports/trips");
    await phone.page.getByRole("link", { name: "Geplante Berichte" }).waitFor();
    await picture(phone.page, "planned-phone-report");
    expect(await overhang(phone.page)).toBe(0);
    await phone.page.getByRole("link", { name: "Geplante Berichte" }).click();
    await cards(phone.page).first().waitFor();
    await picture(phone.page, "planned-phone");
    expect(await overhang(phone.page)).toBe(0);
    await expectNoBarriers(phone.page, "planned reports on a phone");
    expect(await phone.page.getByRole("button", { name: /Entfernen/ }).count()).toBe(0);
    await phone.page.getByRole("button", { name: "Nicht mehr an mich senden" }).click();
    await phone.page.getByRole("button", { name: "Wieder an mich senden" }).waitFor();
    await page.reload();
    await page.getByText("Sam Okafor (unsubscribed)").waitFor();
    await page.getByRole("button", { name: "Pause: Every morning" }).click();
    await page.getByRole("button", { name: "Resume: Every morning" }).waitFor();
    await page.getByRole("button", { name: "Remove: Every morning" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No planned reports yet").waitFor();
    await picture(page, "planned-none");
    await site.close();
    await server.close();
  });
}
