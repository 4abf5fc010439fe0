import { expect } from "bun:test";
import { readFile } from "node:fs/promises";
import type { Page, Response } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { expectFocus, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const name = "Nordlicht Logistics";

async function rename(page: Page, to: string): Promise<void> {
  await page.getByLabel("Name of the account").fill(to);
  await page.getByRole("region", { name: "Account settings" }).getByRole("button", { name: "Save" }).click();
  await page.locator(".page-head").getByText(to, { exact: true }).waitFor();
}

export function testAudit(given: () => PortalSite): void {
  test("the owner renames the account; of two who change it at once, the second sees the conflict and loses nothing", async () => {
    const site = given();
    const [one, other] = [await site.signedIn(), await site.signedIn()];
    for (const { page } of [one, other]) {
      await page.goto("/portal/account");
      await page.getByLabel("Name of the account").waitFor();
    }
    await one.page.getByText("Set by the people who run this server.").waitFor();
    await rename(one.page, "Nordlicht North");
    await one.page.getByText("Changed here.").waitFor();
    const settings = other.page.getByRole("region", { name: "Account settings" });
    await settings.getByRole("combobox", { name: "Time zone" }).selectOption("Pacific/Kiritimati");
    await settings.getByText("What this changes:").first().waitFor({ state: "hidden" });
    await settings.getByRole("button", { name: "Save" }).click();
    // Days of all vehicles are made again: that is asked once.
    await other.page.getByText("From now on, days begin and end in Pacific/Kiritimati.").waitFor();
    await expectNoBarriers(other.page, "asking for another time zone");
    await expectFocus(other.page, /^Leave it$/);
    await other.page.getByRole("button", { name: "Change it" }).click();
    await settings.getByText("Changed since you opened it: Name of the account (now Nordlicht North).").waitFor();
    const isSaving = (response: Response) =>
      response.request().method() === "PUT" && response.url().endsWith("/fleet/account");
    const saved = other.page.waitForResponse(isSaving);
    await settings.getByRole("button", { name: "Save mine anyway" }).click();
    await settings.getByText("Changed since you opened it").waitFor({ state: "detached" });
    await saved;
    // Both changes are stored.
    const { data } = await (await other.page.request.get("/portal/api/fleet/account")).json();
    expect([data.name, data.time_zone]).toEqual(["Nordlicht North", "Pacific/Kiritimati"]);

    await one.page.reload();
    const again = one.page.getByRole("region", { name: "Account settings" });
    await again.getByRole("combobox", { name: "Time zone" }).selectOption("UTC");
    await again.getByText(/24 vehicles recalculated/).waitFor();
    await again.getByRole("button", { name: "Save" }).click();
    await one.page.getByRole("button", { name: "Change it" }).click();
    // It is saved, and the form has begun anew.
    await again.getByText(/24 vehicles recalculated/).waitFor({ state: "detached" });
    await rename(one.page, name);
  });

  test("the log says who did what, by filters that stay in the address, and is downloaded", async () => {
    const { page, leave } = await given().signedIn();
    await page.goto("/portal/fleet/log");
    const rows = page.locator(".audit-table tbody tr");
    await rows.first().waitFor();
    // The first entry of all may be on a later page.
    await page.goto("/portal/fleet/log?by=file");
    await page.getByText("Fleet file loaded").first().waitFor();
    await page.goto("/portal/fleet/log");

    await page.getByLabel("Kind").selectOption({ label: "Account" });
    await page.waitForURL(/kind=account/);
    // Until the answer comes, the other entries stay.
    await page.locator("tr[data-action='fleet.loaded']").first().waitFor({ state: "detached" });
    const renamed = rows.filter({ hasText: "Changed: name" });
    await renamed.first().waitFor();
    expect(await renamed.first().innerText()).toContain("Olga Brandt");
    await page.getByLabel("Person").selectOption({ label: "On the server" });
    await page.getByText("No entry matches these filters.").waitFor();
    await page.reload();
    await page.getByText("No entry matches these filters.").waitFor();
    expect(await page.getByLabel("Kind").inputValue()).toBe("account");
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.waitForURL(/\/fleet\/log$/);
    await rows.first().waitFor();

    const tomorrow = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10);
    await page.goto(`/portal/fleet/log?from=${tomorrow}`);
    await page.getByText("No entry matches these filters.").waitFor();
    await page.goto("/portal/fleet/log?kind=account");
    await rows.first().waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(/^log_.*\.csv$/);
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain("account.changed");
    expect(text).not.toContain("fleet.loaded");
    await leave();

    const phone = await given().signedIn(undefined, {
      viewport: { width: 360, height: 740 },
      locale: "pt-BR",
      colorScheme: "dark",
    });
    await phone.page.goto("/portal/fleet/log");
    await phone.page.locator(".audit-table tbody tr").first().waitFor();
    expect(await overhang(phone.page)).toBe(0);
    // The strip of tabs is wider than the screen, and the log's is the last.
    const tab = await phone.page.locator(".tabs [aria-current]").boundingBox();
    expect((tab?.x ?? 999) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
    await expectNoBarriers(phone.page, "the log on a phone", ["dark"]);
  });
}
