import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, comeBack, expectFocus, goTo, overhang, picture } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { uuid } from "../../support/fleet.ts";
import { helpCalls, ofSubAccount, playedBack, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const rows = (page: Page) => page.locator(".alert");
const section = (page: Page, severity: string) => page.locator(`.alert-section[data-severity=${severity}]`);

/** The number beside "Alerts" in the navigation, as the eye sees it. */
async function countInNavigation(page: Page): Promise<string> {
  return page.locator(".nav-count > [aria-hidden]").innerText();
}

async function openAlerts(page: Page, query = ""): Promise<void> {
  await page.goto(`/portal/alerts${query}`);
  await rows(page).first().waitFor();
}

export function testAlerts(given: () => PortalSite): void {
  test("alerts open with what is critical, then warnings; one click shows info as well, and the address says so", async () => {
    const { page } = await given().signedIn();
    await page.goto("/portal/account");
    expect(Number(await countInNavigation(page))).toBeGreaterThan(0);
    await openAlerts(page);
    const headings = () => page.locator(".alert-section > h2").allInnerTexts();
    expect((await headings()).map((text) => text.split(/\s/)[0])).toEqual(["Critical", "Warning"]);
    expect(await page.locator(".alert-info").count()).toBe(0);
    // The number of all of them, though only the newest are loaded.
    await section(page, "critical").locator("h2", { hasText: "1,101" }).waitFor();
    // Who looks at them finds none new afterwards.
    await page.locator(".nav-count").waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: /^Info/ }).click();
    await section(page, "info").locator(".alert").first().waitFor();
    expect((await addressOf(page)).searchParams.get("severity")).toBe("critical,warning,info");
    await page.reload();
    await section(page, "info").locator(".alert").first().waitFor();
  });

  test("the newest alerts come first however many there are, and the older ones when they are wanted", async () => {
    const { page } = await given().signedIn();
    await openAlerts(page, "?type=sos");
    const shown = await page
      .locator(".alert-when > time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
    expect(shown).toEqual(shown.toSorted().reverse());
    // Found by its class: by its role and name, a thousand others would be looked at each time.
    const more = page.locator(".alert-section .button-wide", { hasText: "Show more" });
    for (let count = await rows(page).count(); count < helpCalls.count; count = await rows(page).count()) {
      // With the keyboard: what is still loading may move the button away between the two halves of a click.
      await more.press("Enter");
      await rows(page).nth(count).waitFor();
    }
    expect(await rows(page).count()).toBe(helpCalls.count);
    expect(await more.count()).toBe(0);
    await section(page, "critical").locator("h2", { hasText: "1,100" }).waitFor();
  });

  test("alerts are filtered by type, vehicle, state and days; the address has it all, and cleared filters show them again", async () => {
    const { page } = await given().signedIn();
    await openAlerts(page);
    const kinds = async () => new Set(await page.locator(".alert h3 [aria-hidden]").allTextContents());
    await page.getByLabel("Vehicle").selectOption({ label: playedBack.name });
    await page.locator("[data-alert=sos]").first().waitFor({ state: "detached" });
    expect([...(await kinds())]).toEqual(["Speeding"]);
    await page.getByRole("checkbox", { name: /^Info/ }).click();
    await page.locator("[data-alert=geofence_exit]").first().waitFor();
    await page.getByText("Left Depot Hamburg").first().waitFor();
    await page.getByLabel("Type").selectOption("sos");
    await page.getByText("No alert matches").waitFor();
    await expectNoBarriers(page, "alerts that do not fit");
    const { searchParams } = await addressOf(page);
    expect([searchParams.get("type"), searchParams.getAll("vehicle")]).toEqual(["sos", [playedBack.id]]);
    await page.getByRole("button", { name: "Clear the filters" }).click();
    await page.locator("[data-alert=sos]").first().waitFor();
    expect((await addressOf(page)).search).toBe("");
    await page.getByLabel("State").selectOption("acknowledged");
    await page.getByText("Nothing to do").waitFor();
    await page.getByRole("button", { name: "Show all of the last 31 days" }).click();
    await rows(page).first().waitFor();
    await page.getByLabel("Period").selectOption("days");
    await page.getByLabel("First day").fill("2020-01-05");
    expect(await page.getByLabel("Last day").inputValue()).toBe("2020-02-04");
    await page.getByText("Nothing to do").waitFor();
  });

  test("an alert leads to its place and time on the map", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await openAlerts(page, `?vehicle=${playedBack.id}`);
    const speeding = page.locator("[data-alert=speeding]").first();
    const time = await speeding.locator(".alert-when > time").first().getAttribute("datetime");
    await speeding.getByRole("link", { name: /show on the map$/ }).click();
    await page.getByRole("heading", { name: playedBack.name, level: 1 }).waitFor();
    const at = new Date(time ?? "").toISOString().slice(0, 19);
    await page.locator(`.player-now time[datetime^="${at}"]`).waitFor();
  });

  test("an alert is acknowledged, and shows by whom and when, to everybody who sees it", async () => {
    const site = given();
    const { page, leave } = await site.signedIn();
    await openAlerts(page, "?type=speeding");
    const last = page.locator("[data-alert=speeding]").last();
    await last.scrollIntoViewIfNeeded();
    // What fails is said where it was pressed.
    await page.context().setOffline(true);
    await last.getByRole("button", { name: /^Acknowledge/ }).click();
    await last.getByRole("alert").getByText("The server cannot be reached.").waitFor();
    await page.context().setOffline(false);
    const first = page.locator("[data-alert=speeding]").first();
    await first.getByRole("button", { name: /^Acknowledge/ }).click();
    await first.getByText("Acknowledged by Olga Brandt").waitFor();
    await expectFocus(page, /Acknowledged by Olga Brandt/);
    await page.goto("/portal/alerts?state=acknowledged");
    await page.getByText("Acknowledged by Olga Brandt").waitFor();
    expect(await rows(page).count()).toBe(1);

    // A sub-account sees the name, though it cannot look up the owner.
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    const data = { begins: [playedBack.id], ends: [] };
    expect((await page.request.put(`/portal/api/fleet/users/${uuid(12)}/vehicles`, { data, headers })).status()).toBe(
      200,
    );
    await leave();
    const sam = await site.signedIn(subAccountEmail);
    await sam.page.goto("/portal/alerts?state=acknowledged");
    await sam.page.getByText("Acknowledged by Olga Brandt").waitFor();
    await expectNoBarriers(sam.page, "alerts of a sub-account");
  });

  test("many alerts are acknowledged at once, by keyboard; the list gets shorter and the older ones move up", async () => {
    const { page } = await given().signedIn();
    await openAlerts(page, "?type=sos");
    const boxes = page.getByRole("checkbox", { name: /^Select:/ });
    await boxes.nth(1).click();
    await boxes.nth(4).click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await page.getByRole("button", { name: "Clear the selection" }).click();
    const newest = await page.locator(".alert-when > time").first().getAttribute("datetime");
    await page.getByRole("checkbox", { name: "Select all 100 shown" }).focus();
    await page.keyboard.press("Space");
    await page.getByText("100 selected").waitFor();
    await expectNoBarriers(page, "selected alerts");
    await page.getByRole("button", { name: "Acknowledge 100" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("100 alerts acknowledged").waitFor();
    await page.locator(".done-notice:focus").waitFor();
    await page.getByRole("heading", { name: "Critical 1,000" }).waitFor();
    await page.getByRole("checkbox", { name: "Select all 100 shown" }).waitFor();
    const next = await page.locator(".alert-when > time").first().getAttribute("datetime");
    expect((next ?? "") < (newest ?? "")).toBe(true);
    await page.getByRole("button", { name: "Show the acknowledged ones" }).click();
    await page.getByRole("heading", { name: "Critical 100" }).waitFor();
    await page.getByText("Acknowledged by Olga Brandt").first().waitFor();
  });

  test("a new alert appears without a reload, is announced, and is counted in the navigation", async () => {
    const site = given();
    const { page } = await site.signedIn(subAccountEmail);
    const answer = await page.request.get(`/portal/api/data/devices/${ofSubAccount[0]}`);
    const { imei } = ((await answer.json()) as { data: { imei: string } }).data;
    const happens = (event: string, secondsAgo: number) => {
      const at = formatInstant(Date.now() - secondsAgo * 1000);
      const place = { latitude: 52.5, longitude: 13.4, speed_kmh: 0 };
      return site.load([{ type: "frame", imei, recorded_at: at, received_at: at, ...place, event }]);
    };
    await happens("tampering", 300);
    await page.goto("/portal/account");
    const before = Number(await countInNavigation(page));
    await happens("power_cut", 2);
    await comeBack(page);
    await page.locator(".nav-count > [aria-hidden]", { hasText: new RegExp(`^${before + 1}$`) }).waitFor();
    await goTo(page, "/alerts");
    await rows(page).first().waitFor();
    await page.locator(".nav-count").waitFor({ state: "detached" });
    await happens("crash", 1);
    await comeBack(page);
    const crash = page.locator("[data-alert=crash]");
    await crash.getByText("New", { exact: true }).waitFor();
    await page.getByRole("status").getByText("1 new alert").waitFor();
    await page.locator(".nav-count").waitFor({ state: "detached" });
    // Another person acknowledges it: the row stays, and says so.
    const owner = await site.signedIn();
    await openAlerts(owner.page, "?type=crash");
    await owner.page.getByRole("button", { name: /^Acknowledge: Crash/ }).click();
    await owner.page.getByText("Acknowledged by Olga Brandt").waitFor();
    await owner.leave();
    await comeBack(page);
    await crash.getByText("Acknowledged by Olga Brandt").waitFor();
  });

  test("all alerts of a type and a day are acknowledged in one click; a period that nobody knows is said", async () => {
    const { page } = await given().signedIn();
    await openAlerts(page, "?type=sos&period=fortnight");
    await page.getByText("The address names no period that is known (“fortnight”). Shown: Last 7 days.").waitFor();
    await openAlerts(page, "?type=sos");
    const all = page.getByRole("button", { name: /^All “SOS” of / }).first();
    await expectNoBarriers(page, "alerts of a day");
    await picture(page, "alerts-of-a-day");
    const left = async () =>
      Number((await section(page, "critical").locator("h2 .quiet").innerText()).replace(",", ""));
    const before = await left();
    await all.click();
    const done = await page.locator(".done-notice").innerText();
    const count = Number(/[\d,]+/.exec(done)?.[0].replace(",", ""));
    expect(count).toBeGreaterThan(1);
    await section(page, "critical")
      .locator("h2", { hasText: (before - count).toLocaleString("en") })
      .waitFor();
    await page.locator(".done-notice:focus").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await picture(page, "alerts-of-a-day-phone");
  });

  test("on a phone alerts fit, and their filters are one touch away", async () => {
    const { page } = await given().signedIn(undefined, { viewport: { width: 390, height: 844 } });
    await openAlerts(page);
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    expect(await page.getByLabel("Type").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Filters" }).click();
    await page.getByLabel("Type").selectOption("speeding");
    await page.locator("[data-alert=sos]").first().waitFor({ state: "detached" });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
  });
}
