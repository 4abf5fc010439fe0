import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { focusedText } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { uuid } from "../../support/fleet.ts";
import { helpCalls, ofSubAccount, playedBack, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

export function testAlerts(given: () => PortalSite): void {
  test("the newest alerts come first however many there are, and the older ones when they are wanted", async () => {
    const { page, leave } = await given().signedIn();
    await page.goto("/portal/alerts");
    await page.getByText(/^The newest \d+ alerts; there are older ones$/).waitFor();
    const times = async () =>
      Promise.all((await page.locator(".alert-when > time").all()).map((time) => time.getAttribute("datetime")));
    const newest = await page.evaluate(async () => {
      const from = new Date(Date.now() - 86_400_000).toISOString();
      const answer = await fetch(`/portal/api/data/alerts?limit=500&acknowledged=false&from=${from}`);
      return ((await answer.json()) as { data: { occurred_at: string }[] }).data.at(-1)?.occurred_at;
    });
    const shown = await times();
    expect(shown[0]).toBe(newest as string);
    expect(shown).toEqual(shown.toSorted().reverse());

    await page.getByLabel("Type").selectOption("sos");
    await page.getByLabel("Vehicle").selectOption({ label: `${helpCalls.name} · HH NL 124` });
    await page.locator(".alert:not([data-alert=sos])").first().waitFor({ state: "detached" });
    const rows = page.locator(".alert");
    for (let shown = await rows.count(); shown < helpCalls.count; shown = await rows.count()) {
      await page.getByRole("button", { name: "Show more" }).click();
      await rows.nth(shown).waitFor();
    }
    await page.getByText("1,100 alerts, the newest first").waitFor();
    expect(await rows.count()).toBe(helpCalls.count);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
    await leave();
  });

  test("alerts are filtered, and cleared filters show them again", async () => {
    const { page, leave } = await given().signedIn();
    await page.goto("/portal/alerts");
    const kinds = async () => new Set(await page.locator(".alert h2").allInnerTexts());
    await page.getByLabel("Vehicle").selectOption({ label: "Atlas 01 · HH NL 101" });
    await page.getByText(/^\d+ alerts, the newest first$/).waitFor();
    const all = await kinds();
    expect([...all].sort()).toEqual(["Geofence exit", "Speeding"]);
    await page.getByLabel("Severity").selectOption("info");
    await page.locator("[data-alert=speeding]").first().waitFor({ state: "detached" });
    expect([...(await kinds())]).toEqual(["Geofence exit"]);
    await page.getByLabel("Type").selectOption("speeding");
    await page.getByText("No alert fits").waitFor();
    await expectNoBarriers(page, "alerts that do not fit");
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.locator("[data-alert=sos]").first().waitFor();
    await page.getByLabel("State").selectOption("true");
    await page.getByText("Nothing to look after").waitFor();
    await page.getByRole("button", { name: "Show all of the last 31 days" }).click();
    await page.locator(".alert").first().waitFor();
    expect(await page.getByLabel("Period").inputValue()).toBe("31");
    await leave();
  });

  test("an alert is acknowledged, and shows by whom and when, to everybody who sees it", async () => {
    const site = given();
    const { page, leave } = await site.signedIn();
    await page.goto("/portal/alerts");
    await page.getByLabel("Type").selectOption("speeding");
    const last = page.locator("[data-alert=speeding]").last();
    await last.scrollIntoViewIfNeeded();
    // Whatever fails is told where it was pressed.
    await page.context().setOffline(true);
    await last.getByRole("button", { name: /^Acknowledge/ }).click();
    await last.getByRole("alert").getByText("The server cannot be reached.").waitFor();
    await page.context().setOffline(false);
    const first = page.locator("[data-alert=speeding]").first();
    await first.getByRole("button", { name: /^Acknowledge/ }).click();
    await first.getByText("Acknowledged by Olga Brandt").waitFor();
    expect(await focusedText(page)).toContain("Acknowledged by Olga Brandt");
    await page.reload();
    await page.getByLabel("State").selectOption("true");
    await page.getByText("1 alert, the newest first").waitFor();
    await page.getByText("Acknowledged by Olga Brandt").waitFor();

    // A sub-account is told the name, though it cannot look up the owner.
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    const data = { device_ids: [...ofSubAccount, playedBack.id] };
    expect((await page.request.put(`/portal/api/users/${uuid(12)}/devices`, { data, headers })).status()).toBe(200);
    await leave();
    const sam = await site.signedIn(subAccountEmail);
    await sam.page.goto("/portal/alerts");
    await sam.page.getByLabel("State").selectOption("true");
    await sam.page.getByText("Acknowledged by Olga Brandt").waitFor();
    await expectNoBarriers(sam.page, "alerts of a sub-account");
    await sam.leave();
  });
}
