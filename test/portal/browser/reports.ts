import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, goTo, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, uuid } from "../../support/fleet.ts";
import { helpCalls, ownerEmail, playedBack } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const dayMs = 86_400_000;
const desktop = { width: 1280, height: 720 };
const phone = { width: 390, height: 844 };

const rows = (page: Page) => page.locator(".report-table tbody tr");
const column = (page: Page, name: string) => page.getByRole("columnheader", { name });

/** Instead of the browser's dialog. */
const printed = `window.print = () => {
  dispatchEvent(new Event("beforeprint"));
  document.documentElement.dataset.printed = "yes";
}`;

/** As if the server had gone after some rows. */
const breakNextDownload = `
  const real = window.fetch;
  window.fetch = async (input, init) => {
    if (!String(input).includes("/download/")) return real(input, init);
    window.fetch = real;
    const rows = [new TextEncoder().encode("alert_id\\r\\n")];
    return new Response(new ReadableStream({
      pull(controller) {
        const row = rows.pop();
        if (row) controller.enqueue(row);
        else controller.error(new TypeError("network error"));
      },
    }));
  };`;

/** What the API says, as the person sees it. */
async function fromApi<T>(page: Page, path: string): Promise<readonly T[]> {
  const response = await page.request.get(`/portal/api/data/${path}`);
  return (await response.json()).data;
}

function dayOf(site: PortalSite, back: number): string {
  return formatInstant(site.now - back * dayMs).slice(0, 10);
}

export function testReports(given: () => PortalSite): void {
  test("a report of trips opens for yesterday with its totals, and a trip leads to its moment", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, map: "none", now: site.now });
    await page.goto("/portal/reports");
    const [from, to] = [dayOf(site, 1), dayOf(site, 0)];
    const trips = (
      await fromApi<{ started_at: string; distance_km: number; device_id: string }>(page, `trips?from=${from}&to=${to}`)
    ).filter(({ started_at }) => started_at >= from);
    await page.getByText(`${trips.length} trips`, { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(trips.length);
    const km = trips.reduce((sum, { distance_km }) => sum + distance_km, 0);
    const total = page.locator("tfoot tr");
    expect(await total.innerText()).toContain(`${Math.round(km)} km`);
    expect(await total.innerText()).toStartWith("Total");

    await rows(page).filter({ hasText: playedBack.name }).getByRole("link").first().click();
    await page.waitForURL(/\/portal\/map\//);
    const { pathname, searchParams } = await addressOf(page);
    expect(pathname).toBe(`/portal/map/${playedBack.id}`);
    const first = trips.find(({ device_id }) => device_id === playedBack.id);
    expect([searchParams.get("day"), searchParams.get("at")]).toEqual([from, first?.started_at ?? ""]);
  });

  test("a report is its address: days, vehicles and order come back with it", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now });
    await page.goto("/portal/reports/trips");
    await page.locator(".choices select").last().selectOption({ label: playedBack.name });
    await column(page, "Distance").getByRole("button").click();
    await page.waitForURL(/sort=-distance/);
    expect(await column(page, "Distance").getAttribute("aria-sort")).toBe("descending");
    const distances = async () =>
      (await page.locator("tbody td[data-label=Distance]").allInnerTexts()).map((text) => Number.parseFloat(text));
    const shown = await distances();
    expect(shown).toEqual(shown.toSorted((one, other) => other - one));
    await column(page, "Distance").getByRole("button").click();
    await page.waitForURL(/sort=distance/);
    const { href: address } = await addressOf(page);
    await page.goto("/portal/keys");
    await page.goto(address);
    await page.getByText(/^\d+ trips?$/).waitFor();
    expect(await distances()).toEqual(shown.toReversed());
    expect(await column(page, "Distance").getAttribute("aria-sort")).toBe("ascending");

    // Another report is about the same vehicle and days, in its own order.
    await page.getByText("Last 7 days").click();
    await page.getByRole("navigation", { name: "Kinds of report" }).getByRole("link", { name: "Stops" }).click();
    await page.getByText(/^\d+ stops?$/).waitFor();
    const { searchParams } = await addressOf(page);
    expect(Object.fromEntries(searchParams)).toEqual({ period: "week", vehicle: playedBack.id });
    const places = await page.locator("tbody td[data-label=Vehicle]").allInnerTexts();
    expect(new Set(places)).toEqual(new Set([playedBack.name]));
  });

  test("a long report shows its first rows at once, the rest as one scrolls, and sorts all of them", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop });
    const [from, to] = [dayOf(site, 3), dayOf(site, 0)];
    await page.goto(`/portal/reports/alerts?from=${from}&to=${to}`);
    await rows(page).nth(99).waitFor();
    await page.getByText(/^The first \d+ alerts; there are more$/).waitFor();
    expect(await page.locator("tfoot").count()).toBe(0);
    for (let shown = await rows(page).count(); shown < 300; shown = await rows(page).count()) {
      await page.getByRole("button", { name: "Show more" }).scrollIntoViewIfNeeded();
      await rows(page).nth(shown).waitFor();
    }
    await column(page, "Vehicle").getByRole("button").click();
    await page.getByText(/^1,\d\d\d alerts$/).waitFor();
    expect(await rows(page).first().innerText()).toContain("Atlas");
    await column(page, "Vehicle").getByRole("button").click();
    await rows(page).first().getByText(helpCalls.name).waitFor();

    // Nothing is lost when the line breaks in the middle.
    await page.context().setOffline(true);
    await page.locator(".report-switch").getByText("Critical").click();
    await page.getByText("cannot be reached").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(/^1,1\d\d alerts$/).waitFor();
  });

  test("a report is downloaded whole, by its filters, and a file that broke off is not saved", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop });
    const [from, to] = [dayOf(site, 3), dayOf(site, 0)];
    await page.goto(`/portal/reports/alerts?from=${from}&to=${to}&severity=critical&vehicle=${uuid(124)}`);
    await page.getByText("metric units and UTC").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe(`alerts_Fjord-04_${from}_${to}.csv`);
    const lines = (await Bun.file(await file.path()).text()).split("\r\n");
    expect(lines[0]).toStartWith("alert_id,device_id,imei");
    expect(lines.length - 2).toBe(helpCalls.count);

    let saved = 0;
    page.on("download", () => saved++);
    await page.evaluate(breakNextDownload);
    await page.getByRole("button", { name: "Download as GeoJSON" }).click();
    await page.getByText("The download broke off, so nothing was saved.").waitFor();
    expect(saved).toBe(0);
    const again = page.waitForEvent("download");
    await page.getByRole("button", { name: "Try again" }).click();
    const { features } = JSON.parse(await Bun.file(await (await again).path()).text());
    expect(features.length).toBe(helpCalls.count);

    // A download that is cancelled leaves nothing, and another can begin.
    await page.route("**/download/**", () => {});
    await page.getByRole("button", { name: "Download as CSV" }).click();
    await page.getByText("CSV: 0.0 MB so far").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("metric units and UTC").waitFor();
    expect(saved).toBe(1);
  });

  test("a report is printed whole, with its period, and without what is not for paper", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, once: true });
    const [from, to] = [dayOf(site, 3), dayOf(site, 0)];
    await page.addInitScript(printed);
    await page.goto(`/portal/reports/alerts?from=${from}&to=${to}&severity=critical`);
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: "Print" }).click();
    await page.locator("html[data-printed]").waitFor();
    expect(await rows(page).count()).toBeGreaterThanOrEqual(helpCalls.count);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Print" }).count()).toBe(0);
    await page.getByText("· All vehicles").waitFor();
    expect(await page.evaluate("getComputedStyle(document.querySelector('thead')).display")).toBe("table-header-group");
  });

  test("a report of mileage is by vehicle or by day, and both come to the same", async () => {
    const { page } = await given().signedIn(ownerEmail, { viewport: desktop, once: true, now: given().now });
    await page.addInitScript(printed);
    await page.goto("/portal/reports/mileage?period=week");
    await page.getByText("24 vehicles", { exact: true }).waitFor();
    const total = () => page.locator("tfoot td[data-label=Distance]").innerText();
    const byVehicle = await total();
    expect(await rows(page).first().innerText()).toContain(playedBack.name);
    await column(page, "Vehicle").getByRole("button").click();
    await page.waitForURL(/sort=vehicle/);
    await page.locator("thead th[aria-sort=ascending]").waitFor();
    await page.getByText("By day").click();
    await page.getByText(/^\d days?$/).waitFor();
    expect(await total()).toBe(byVehicle);
    // With nothing left to load, the first click prints.
    await page.getByRole("button", { name: "Print" }).click();
    await page.locator("html[data-printed]").waitFor();
  });

  test("no report has a barrier, and each fits on a phone; sensors are plots", async () => {
    const site = await given().beside();
    await site.load(coldStore(site.now));
    const { page, leave } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now });
    await page.goto("/portal/reports/sensors");
    await page.getByText("Choose a vehicle", { exact: true }).waitFor();
    const plot = (page: Page) => page.getByRole("img", { name: /^Plot: / }).waitFor();
    const table = (page: Page) => rows(page).first().waitFor();
    const looks: [path: string, isThere: (page: Page) => Promise<void>][] = [
      [`sensors?vehicle=${playedBack.id}`, plot],
      [`sensors?view=temperature&vehicle=${playedBack.id}`, plot],
      ["trips", table],
      ["mileage", table],
      ["mileage?view=days", table],
      ["stops", table],
      ["stops?view=idling", (page) => page.getByText("No alert reports idling").waitFor()],
      ["crossings", table],
      ["alerts", table],
    ];
    for (const [path, isThere] of looks) {
      await page.setViewportSize(desktop);
      await goTo(page, `/reports/${path}`);
      await isThere(page);
      await expectNoBarriers(page, path);
      await page.setViewportSize(phone);
      expect({ path, overhang: await overhang(page) }).toEqual({ path, overhang: 0 });
    }
    await leave();
    await site.close();
  });
}

/** A tank and a cold store, yesterday evening. */
function coldStore(now: number) {
  const evening = Math.floor(now / dayMs) * dayMs - 8 * 3_600_000;
  return Array.from({ length: 120 }, (_, index) => {
    const at = formatInstant(evening + index * 60_000);
    const sensors = [
      { kind: "fuel", sensor: "tank_1", level_percent: 80 - index / 10 },
      { kind: "temperature", sensor: "cargo", temperature_c: -18 + Math.sin(index / 9) },
    ];
    const place = { latitude: 53.55, longitude: 9.99, speed_kmh: 0, ignition: false };
    return { type: "frame", imei: device(101).imei, recorded_at: at, received_at: at, ...place, sensors };
  });
}
