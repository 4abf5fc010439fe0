import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, comeBack, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, type FleetRecord, hourMs } from "../../support/fleet.ts";
import { until } from "../../support/patience.ts";
import { newcomerEmail, ofSubAccount, playedBack, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const dayMs = 24 * hourMs;

/** What the API answers to the person, by its own page. */
async function asked<Row>(page: Page, path: string): Promise<readonly Row[]> {
  const response = await page.request.get(`/portal/api/data/${path}`);
  return ((await response.json()) as { data: Row[] }).data;
}

function dayOf(at: number): string {
  return formatInstant(at).slice(0, 10);
}

function figure(page: Page, term: string) {
  return page.locator(".fleet-totals > div").filter({ hasText: term }).locator("dd").first();
}

function card(page: Page, title: string) {
  return page.getByRole("region", { name: new RegExp(`^${title}`) });
}

/** A short way of some vehicles at a moment, fast enough to be a trip. */
function shortWays(vehicles: number, at: number): FleetRecord[] {
  return Array.from({ length: vehicles }, (_, index) => {
    const fields = { name: `Courier ${index + 1}`, tags: index % 2 === 0 ? ["north"] : [] };
    const record = device(5000 + index, fields);
    const frames = Array.from({ length: 6 + (index % 5) }, (_, step) => {
      const stamp = formatInstant(at + step * 30_000);
      const place = { latitude: 53.5 + step * 0.004, longitude: 10 + index * 0.01, speed_kmh: 53, ignition: true };
      return { type: "frame", imei: record.imei, recorded_at: stamp, received_at: stamp, ...place };
    });
    return [record, ...frames];
  }).flat();
}

export function testYesterday(given: () => PortalSite): void {
  /** For whom it is always the same day, however late it gets. */
  const signedIn = (email?: string, site = given()) => site.signedIn(email, { now: site.now });

  test("the kilometres of the fleet yesterday are what opens first, without a click", async () => {
    const { page } = await signedIn();
    await page.goto("/portal/");
    await figure(page, "Distance").waitFor();
    expect((await addressOf(page)).pathname).toBe("/portal/yesterday");
    const { now } = given();
    const window = `from=${dayOf(now - dayMs)}&to=${dayOf(now)}`;
    const days = await asked<{ distance_km: number }>(page, `reports/mileage?${window}`);
    const km = days.reduce((sum, day) => sum + day.distance_km, 0);
    expect(await figure(page, "Distance").innerText()).toBe(`${Math.round(km)} km`);
    expect(await figure(page, "Vehicles that drove").innerText()).toMatch(/^\d+ of 24$/);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "yesterday on a phone");
  });

  test("a figure leads to its moment in playback", async () => {
    const { page } = await signedIn();
    await page.goto("/portal/yesterday");
    const row = page.getByRole("row").filter({ hasText: playedBack.name });
    const [from, to] = [dayOf(given().now - dayMs), dayOf(given().now)];
    const trips = await asked<{ started_at: string; idle_s: number; max_speed_kmh: number }>(
      page,
      `trips?device_id=${playedBack.id}&from=${from}&to=${to}`,
    );
    const ofDay = trips.filter(({ started_at }) => started_at >= from);
    const fastest = ofDay.toSorted((one, other) => other.max_speed_kmh - one.max_speed_kmh)[0];
    const at = async (column: string) => {
      const href = await row.locator(`[data-column=${column}] a`).first().getAttribute("href");
      const { pathname, searchParams } = new URL(href ?? "", given().origin);
      expect([pathname, searchParams.get("day")]).toEqual([`/portal/map/${playedBack.id}`, from]);
      return searchParams.get("at");
    };
    await row.waitFor();
    expect(await at("distance")).toBe(ofDay[0]?.started_at as string);
    expect(await at("max_speed")).toBe(fastest?.started_at as string);
    const speeding = card(page, "Speeding").getByRole("link", { name: new RegExp(playedBack.name) });
    expect(await speeding.innerText()).toContain("where 90 km/h is allowed");
    await speeding.click();
    await page.getByRole("heading", { level: 1, name: new RegExp(playedBack.name) }).waitFor();
    expect((await addressOf(page)).searchParams.get("at")).toStartWith(from);
  });

  test("where no rule sets a limit, nobody is said to have kept to it; days that nobody reported say so", async () => {
    const { page } = await given().signedIn(subAccountEmail, { now: given().now });
    await page.goto("/portal/yesterday");
    await card(page, "Speeding").getByText("No vehicle has a speed limit", { exact: false }).waitFor();
    expect(await card(page, "Speeding").getByRole("link").count()).toBe(0);
    await page.goto("/portal/yesterday?from=2020-01-01&to=2020-01-02");
    await card(page, "Did not move").getByText("No vehicle reported.").waitFor();
    await page.goto("/portal/yesterday?from=2020-01-05&to=2020-01-02");
    await page.getByText("The address names no period that is known", { exact: false }).waitFor();
  });

  test("days, vehicles and the order are in the address, and come back with it", async () => {
    const { page } = await signedIn();
    await page.goto("/portal/yesterday");
    await figure(page, "Distance").waitFor();
    await page.getByText("Last 7 days", { exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Last 7 days" }).waitFor();
    const byName = page.getByRole("columnheader", { name: "Vehicle" });
    await byName.getByRole("button").click();
    await byName.getByRole("button").click();
    expect(await byName.getAttribute("aria-sort")).toBe("descending");
    const names = () => page.locator(".vehicle-bars tbody th a").allInnerTexts();
    await page.locator(".vehicle-bars tbody tr").first().filter({ hasText: "Fjord 04" }).waitFor();
    expect(await names()).toEqual((await names()).toSorted().reverse());
    await page.getByRole("combobox", { name: "Vehicle" }).selectOption({ label: playedBack.name });
    await page.getByText("1 of 1").waitFor();
    const { searchParams } = await addressOf(page);
    expect(Object.fromEntries(searchParams)).toEqual({
      period: "week",
      sort: "name",
      order: "desc",
      vehicle: playedBack.id,
    });
    await page.reload();
    await page.getByText("1 of 1").waitFor();
    expect(await names()).toEqual([playedBack.name]);
    await page.getByRole("button", { name: `Remove ${playedBack.name}` }).click();
    await page.getByText(/^\d+ of 24$/).waitFor();
    await page.goto("/portal/yesterday?from=2020-01-01&to=2020-01-02");
    await page.getByText("No vehicle drove.").waitFor();
    expect(await card(page, "Did not report").locator("li").count()).toBe(5);
    // The time is that of the newest frame, not of the first after those days.
    for (const silent of await card(page, "Did not report").locator("li").allInnerTexts()) {
      expect(silent).toMatch(/Last heard|Never heard/);
    }
    await card(page, "Did not report")
      .getByRole("button", { name: /^Show more/ })
      .click();
    await card(page, "Did not report").locator("li").nth(23).waitFor();
    await expectNoBarriers(page, "days without a vehicle that drove");
  });

  test("open critical alerts are one line for each vehicle, and lead to the alerts", async () => {
    const { page } = await signedIn();
    await page.goto("/portal/yesterday?period=today");
    const critical = card(page, "Open critical alerts");
    await critical.getByRole("link", { name: /Fjord 04.*1,100 ×/ }).waitFor();
    await critical.getByRole("link", { name: "Go to the alerts" }).click();
    await page.locator(".alert").first().waitFor();
    expect((await addressOf(page)).search).toBe("?severity=critical");
  });

  test("a sub-account sees its own vehicles, and a person without vehicles what to expect", async () => {
    const sam = await signedIn(subAccountEmail);
    await sam.page.goto("/portal/yesterday?period=week");
    await figure(sam.page, "Vehicles that drove").waitFor();
    const seen = await asked<{ device_id: string }>(sam.page, "devices");
    expect(seen.length).toBeGreaterThanOrEqual(ofSubAccount.length);
    expect(await figure(sam.page, "Vehicles that drove").innerText()).toEndWith(`of ${seen.length}`);
    await sam.leave();
    const nils = await signedIn(newcomerEmail);
    await nils.page.goto("/portal/yesterday");
    await nils.page.getByRole("heading", { name: "No vehicles yet" }).waitFor();
    await expectNoBarriers(nils.page, "yesterday without vehicles");
  });

  test("a server that does not answer is reported, and asked again", async () => {
    const { page } = await signedIn();
    await page.route("**/portal/api/fleet-days*", (route) => route.abort("internetdisconnected"));
    await page.goto("/portal/yesterday");
    await page.getByRole("alert").waitFor();
    await page.unroute("**/portal/api/fleet-days*");
    await page.getByRole("button", { name: "Try again" }).click();
    await figure(page, "Distance").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("today follows by itself; of many vehicles the rest comes while one scrolls, with tags to choose by", async () => {
    const site = await given().beside();
    try {
      const { page, leave } = await signedIn(undefined, site);
      await page.goto("/portal/yesterday?period=today");
      const before = Number((await figure(page, "Vehicles that drove").innerText()).split(" ")[0]);
      await site.load(shortWays(240, site.now - 10 * 60_000));
      await comeBack(page);
      await page.getByText(`${before + 240} of 264`).waitFor();
      const rows = page.locator(".vehicle-bars tbody tr");
      expect(await rows.count()).toBe(100);
      const first = await rows.first().innerText();
      await rows.nth(99).scrollIntoViewIfNeeded();
      await rows.nth(199).waitFor();
      // Fresh figures leave as many rows as there were.
      const place = await page.evaluate("scrollY");
      const answered = page.waitForResponse(/fleet-days.*limit=200/);
      await comeBack(page);
      await answered;
      expect(await page.evaluate("scrollY")).toBe(place);
      await rows.nth(199).scrollIntoViewIfNeeded();
      await rows.nth(before + 239).waitFor();
      await until(async () => (await rows.count()) === before + 240);
      expect(await rows.first().innerText()).toBe(first);
      expect(await page.getByRole("button", { name: /^Show more$/ }).count()).toBe(0);

      // A choice of the page that was open already does not have the new tags.
      await page.reload();
      await page.getByRole("combobox", { name: "Tag" }).selectOption("north");
      await page.getByText("120 of 120").waitFor();
      expect((await addressOf(page)).searchParams.getAll("tag")).toEqual(["north"]);
      await leave();
      expect(site.faults()).toEqual([]);
    } finally {
      await site.close();
    }
  });
}
