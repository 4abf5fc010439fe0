import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang, pictures } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const kinds = ["trips", "trips?view=drivers", "mileage", "mileage?view=days", "stops", "crossings", "alerts"];

async function firstRowTop(page: Page): Promise<number> {
  await page.locator(".report-table tbody tr").first().waitFor();
  return page.evaluate<number>("document.querySelector('.report-table tbody tr').getBoundingClientRect().top");
}

async function look(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
}

export function testReportRows(given: () => PortalSite): void {
  for (const [locale, scheme] of [
    ["en-GB", "light"],
    ["de-DE", "dark"],
  ] as const) {
    test(`the first row of each report is on the screen at once, also on a phone (${locale})`, async () => {
      const wide = await given().signedIn(undefined, {
        map: "none",
        locale,
        colorScheme: scheme,
        viewport: { width: 1280, height: 800 },
      });
      const { page } = wide;
      for (const kind of kinds) {
        const report = kind + (kind.includes("?") ? "&" : "?");
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`/portal/reports/${report}period=week`);
        expect([kind, (await firstRowTop(page)) < 400]).toEqual([kind, true]);
        await look(page, `rows-${locale}-${kind.replace(/\W+/g, "-")}`);
        await page.setViewportSize({ width: 360, height: 740 });
        const top = await firstRowTop(page);
        // With some of the row above what stays at the foot of the screen.
        const foot = await page.evaluate<number>("document.querySelector('.nav').getBoundingClientRect().top");
        expect([kind, top < Math.min(foot, 740) - 40]).toEqual([kind, true]);
        expect([kind, await overhang(page)]).toEqual([kind, 0]);
        await look(page, `rows-${locale}-${kind.replace(/\W+/g, "-")}-phone`);
      }
      await page.locator(".report-folded summary").click();
      await page.locator(".report-folded input[type=date]").first().waitFor();
      await expectNoBarriers(page, "filters that were folded");
      await look(page, `rows-${locale}-filters-phone`);
    });
  }

  test("a report that is sent regularly is about as many days as the ones that are shown", async () => {
    const server = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const site = await given().beside(...mail, "--public-url", "https://fleet.example");
    const { page } = await site.signedIn(undefined, { map: "none" });
    for (const [period, cadence] of [
      ["period=yesterday", "day"],
      ["period=last-week", "week"],
      ["period=last-month", "month"],
      ["from=2026-01-01&to=2026-01-31", "month"],
      ["from=2026-01-05&to=2026-01-11", "week"],
    ] as const) {
      await page.goto(`/portal/reports/mileage?${period}`);
      await page.getByRole("button", { name: "Send regularly" }).click();
      expect([period, await page.getByLabel("How often").inputValue()]).toEqual([period, cadence]);
      await page.getByRole("button", { name: "Cancel" }).click();
    }
    await site.close();
    await server.close();
  });
}
