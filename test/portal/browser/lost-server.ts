import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { comeBack } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { uuid } from "../../support/fleet.ts";
import { helpCalls, ofSubAccount, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const gone = (page: Page) => page.getByRole("alert").getByText("The server cannot be reached.");

/** From now on such requests fail as they do without a server. Returns what ends it. */
export async function lose(page: Page, path: string): Promise<() => Promise<void>> {
  await page.context().route(path, (route) => route.abort("internetdisconnected"));
  return () => page.context().unroute(path);
}

export function testLostServer(given: () => PortalSite): void {
  test("pages of today say that the server is gone, and no longer when it is back; so does the number of alerts", async () => {
    const site = given();
    // Something that is new to the owner, whoever has looked before.
    await site.load([{ type: "frame", imei: helpCalls.imei, recorded_at: formatInstant(Date.now()), event: "sos" }]);
    const { page } = await site.signedIn(undefined, { map: "none", now: site.now });
    for (const [path, sight] of [
      ["/portal/yesterday?period=today", ".fleet-totals"],
      [`/portal/map/${uuid(103)}`, ".player-now"],
    ] as const) {
      await page.goto(path);
      await page.locator(sight).waitFor();
      await page.locator(".nav-count:not([data-stale])").waitFor();
      expect(await gone(page).count()).toBe(0);
      const find = await lose(page, "**/portal/api/**");
      await comeBack(page);
      await gone(page).waitFor();
      await page.locator(".nav-count[data-stale]", { hasText: "Not live at the moment" }).waitFor();
      // What is known stays.
      expect(await page.locator(sight).isVisible()).toBe(true);
      await expectNoBarriers(page, `${path} without a server`);
      await find();
      await comeBack(page);
      await gone(page).waitFor({ state: "detached" });
      await page.locator(".nav-count:not([data-stale])").waitFor();
    }
  });

  test("a list of alerts that was opened without the feed comes by itself with all that happened meanwhile", async () => {
    const site = await given().beside();
    const { page, leave } = await site.signedIn(subAccountEmail);
    const find = await lose(page, "**/portal/api/data/changes*");
    await page.goto("/portal/alerts");
    await gone(page).waitFor();
    expect(await page.locator(".alert").count()).toBe(0);
    const at = formatInstant(Date.now() - 1000);
    const answer = await page.request.get(`/portal/api/data/devices/${ofSubAccount[0]}`);
    const { imei } = ((await answer.json()) as { data: { imei: string } }).data;
    const place = { latitude: 52.5, longitude: 13.4, speed_kmh: 0 };
    await site.load([{ type: "frame", imei, recorded_at: at, received_at: at, ...place, event: "crash" }]);
    await find();
    await comeBack(page);
    await page.locator("[data-alert=crash]").waitFor();
    expect(await gone(page).count()).toBe(0);
    await leave();
    await site.close();
  });

  test("a day that was opened without a server comes by itself once it answers", async () => {
    const { page } = await given().signedIn(undefined, { map: "none", now: given().now });
    const find = await lose(page, "**/portal/api/data/**");
    await page.goto(`/portal/map/${uuid(103)}`);
    await gone(page).waitFor();
    await find();
    await comeBack(page);
    await page.locator(".player-now").waitFor();
  });
}
