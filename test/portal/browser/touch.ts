import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time.ts";
import { overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { playedBack } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const dayMs = 86_400_000;

/** What is lower than a finger can hit. A box in a label is as large as the label. */
async function lowTargets(page: Page, minPixels: number, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .map((found) => found.closest("label") ?? found)
    .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < ${minPixels})
    .map((target) => target.outerHTML.slice(0, 200))`);
}

export function testTouch(given: () => PortalSite): void {
  test("a finger has 24 pixels for each link and button, and 44 for what is hit often", async () => {
    const site = given();
    const finger = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page, leave } = await site.signedIn(undefined, { ...finger, now: site.now });
    const day = formatInstant(site.now - dayMs).slice(0, 10);
    for (const [path, sight] of [
      ["/yesterday", ".vehicle-bars"],
      ["/map", "[data-map=ready]"],
      [`/map/${playedBack.id}?day=${day}`, ".rejected"],
      ["/alerts", ".alert"],
      ["/reports/trips?period=week", ".report-table tbody tr"],
    ] as const) {
      await page.goto(`/portal${path}`);
      await page.locator(sight).first().waitFor();
      expect(await lowTargets(page, 24, "main :is(a, button, select, summary, input)")).toEqual([]);
      expect(await lowTargets(page, 44, ".alert-select input, .check input, .maplibregl-ctrl-group button")).toEqual(
        [],
      );
      expect(await overhang(page)).toBeLessThanOrEqual(0);
    }
    await leave();
  });

  test("on the smallest phone the figures of a day in German stay in their cells, and the pace is readable", async () => {
    const site = given();
    const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, locale: "de-DE" };
    const { page, leave } = await site.signedIn(undefined, { ...phone, map: "none" });
    await page.goto(`/portal/map/${playedBack.id}?day=${formatInstant(site.now - dayMs).slice(0, 10)}`);
    await page.getByText("Höchste Geschwindigkeit").waitFor();
    expect(await wide(page, ".figures dt, .figures dd, .player-pace select")).toEqual([]);
    await leave();
  });
}

/** What does not fit into its own box. */
async function wide(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((found) => found.scrollWidth > found.clientWidth)
    .map((found) => found.textContent)`);
}
