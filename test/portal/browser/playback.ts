import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, comeBack, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, uuid } from "../../support/fleet.ts";
import { until } from "../../support/patience.ts";
import { playedBack } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const dayMs = 86_400_000;
const low = { width: 1280, height: 720 };

/** One that drives now. */
const driving = { id: uuid(103), imei: String(device(103).imei) };

function yesterdayOf(site: PortalSite): string {
  return formatInstant(site.now - dayMs).slice(0, 10);
}

/** The moment that the player is at. */
function shownAt(page: Page, at: number) {
  return page.locator(`.player-now time[datetime^="${formatInstant(at).slice(0, 19)}"]`);
}

async function inAddress(page: Page, name: string): Promise<string | null> {
  return (await addressOf(page)).searchParams.get(name);
}

/** When there were alerts, as the list has them. */
async function alertsOfYesterday(page: Page, site: PortalSite, further = ""): Promise<number[]> {
  const days = `from=${yesterdayOf(site)}&to=${formatInstant(site.now).slice(0, 10)}`;
  const found = await page.request.get(`/portal/api/data/alerts?device_id=${playedBack.id}&${days}${further}`);
  const { data } = (await found.json()) as { data: { occurred_at: string }[] };
  return data.map(({ occurred_at }) => Date.parse(occurred_at));
}

/** The entry of the story that is marked, once its list has scrolled to it. */
async function markedEntry(page: Page): Promise<{ text: string; count: number }> {
  await until(() =>
    page.evaluate<boolean>(`(() => {
      const [list, entry] = [".story", ".story [aria-current=true]"].map((one) =>
        document.querySelector(one).getBoundingClientRect());
      return entry.top >= list.top && entry.bottom <= list.bottom;
    })()`),
  );
  return page.locator(".story [aria-current=true]").evaluateAll((marked) => ({
    text: (marked[0] as unknown as { innerText: string }).innerText,
    count: marked.length,
  }));
}

export function testPlayback(given: () => PortalSite): void {
  test("a day is printed on white, whole, and without what is not for paper", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "drawn", once: true, colorScheme: "dark" });
    await page.goto(`/portal/map/${playedBack.id}?day=${yesterdayOf(site)}`);
    await page.locator(".story-entry").first().waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByRole("slider").count()).toBe(0);
    const paper = await page.evaluate<string[]>(
      "[document.documentElement, ...document.querySelectorAll('.panel')].map((e) => getComputedStyle(e).backgroundColor)",
    );
    expect([...new Set(paper)]).toEqual(["rgb(255, 255, 255)"]);
    const hidden = "(() => { const e = document.querySelector('.story'); return e.scrollHeight - e.clientHeight; })()";
    expect(await page.evaluate<number>(hidden)).toBe(0);
  });

  test("playback shows the day: its trips, its stops, what was rejected and why, and the speed", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "drawn" });
    await page.goto(`/portal/map/${playedBack.id}?day=${yesterdayOf(site)}`);
    await page.getByRole("heading", { name: playedBack.name }).waitFor();
    await page.locator("[data-map=ready]").waitFor();
    expect(await page.locator(".story-trip").count()).toBe(4);
    expect(await page.locator(".story-stop").count()).toBe(3);
    await page.getByText(/rejected frames, and why/).click();
    await page.getByText("The coordinates are 0, 0").waitFor();
    await page.getByText("The tracker had no satellite fix").first().waitFor();
    await page.getByText("An implausible jump").first().waitFor();
    await page.getByRole("img", { name: /Plot of the speed/ }).waitFor();
    // To draw the map once more takes seconds; the dark is looked at without it.
    await expectNoBarriers(page, "playback", ["light"]);

    const slider = page.getByLabel("Time of the day");
    const begin = await slider.getAttribute("aria-valuetext");
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(`.player-slider:not([aria-valuetext="${begin}"])`).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^Trip 3/ }).click();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^1\d:\d\d$/);

    await page.getByLabel("Go to").fill("12:30");
    expect(await slider.getAttribute("aria-valuetext")).toBe("12:30");

    await page.getByRole("button", { name: "The day before" }).first().click();
    await page.getByText("Nothing was reported on this day").waitFor();
    await expectNoBarriers(page, "a day without a frame");
  });

  test("slider and plot have one axis: they begin and end at the same moments and places", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none" });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 720 });
      await page.goto(`/portal/map/${playedBack.id}?day=${yesterdayOf(site)}`);
      await page.locator(".u-over").waitFor();
      const [slider, plot] = await Promise.all(
        [".player-slider", ".u-over"].map((one) => page.locator(one).boundingBox()),
      );
      const halfThumb = 9;
      const edges = [(slider?.x ?? 0) + halfThumb, (slider?.x ?? 0) + (slider?.width ?? 0) - halfThumb];
      expect(Math.abs((edges[0] ?? 0) - (plot?.x ?? 0))).toBeLessThanOrEqual(1);
      expect(Math.abs((edges[1] ?? 0) - (plot?.x ?? 0) - (plot?.width ?? 0))).toBeLessThanOrEqual(1);
      expect(await overhang(page)).toBeLessThanOrEqual(0);
      // The middle of the plot is the middle of the slider.
      await page.locator(".u-over").click({ position: { x: (plot?.width ?? 0) / 2, y: 40 } });
      const slid = page.getByLabel("Time of the day");
      const [min, max] = [await slid.getAttribute("min"), await slid.getAttribute("max")].map(Number) as [
        number,
        number,
      ];
      const middle = (Number(await slid.inputValue()) - min) / (max - min);
      expect(Math.abs(middle - 0.5)).toBeLessThan(0.01);
    }
  });

  test("alerts of the day are in its story, and a moment in the address is what it opens with", async () => {
    const site = given();
    const { page } = await site.signedIn();
    const [at = 0] = await alertsOfYesterday(page, site, "&alert_type=speeding");
    await page.goto(`/portal/map/${playedBack.id}?at=${formatInstant(at)}`);
    await shownAt(page, at).waitFor();
    expect(await page.getByLabel("Day", { exact: true }).inputValue()).toBe(formatInstant(at).slice(0, 10));
    await page.locator("[data-map=ready]").waitFor();
    await page.getByRole("button", { name: /^Trip 1/ }).click();
    await shownAt(page, at).waitFor({ state: "detached" });
    await page
      .getByRole("button", { name: /^Critical: Speeding/ })
      .first()
      .click();
    await shownAt(page, at).waitFor();
  });

  test("the top speed of yesterday leads to the moment of it; of idling there was none, so it leads nowhere", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none", viewport: low, now: site.now });
    const day = `from=${yesterdayOf(site)}&to=${formatInstant(site.now).slice(0, 10)}`;
    const frames = await page.request.get(
      `/portal/api/data/positions/history?device_id=${playedBack.id}&${day}&limit=500`,
    );
    const { data } = (await frames.json()) as { data: { recorded_at: string; speed_kmh: number | null }[] };
    const top = Math.max(...data.map(({ speed_kmh }) => speed_kmh ?? 0));
    const fastest = Date.parse(data.find(({ speed_kmh }) => speed_kmh === top)?.recorded_at ?? "");
    await page.goto("/portal/yesterday");
    const row = page.getByRole("row").filter({ hasText: playedBack.name });
    await row.locator("[data-column=max_speed] a").click();
    await shownAt(page, fastest).waitFor();
    expect(await page.locator(".player-now").innerText()).toContain(`${top} km/h`);
    expect(await page.getByLabel("Day", { exact: true }).inputValue()).toBe(yesterdayOf(site));
    await page.goBack();
    await row.waitFor();
    expect(await row.locator("[data-column=idle]").innerText()).toBe("0 min");
    expect(await row.locator("[data-column=idle] a").count()).toBe(0);

    // Nothing is found: then the moment is what it opens with.
    const at = fastest + 5 * 60_000;
    const otherwise = `&at=${formatInstant(at)}`;
    await page.goto(`/portal/map/${playedBack.id}?day=${yesterdayOf(site)}&find=idling${otherwise}`);
    await shownAt(page, at).waitFor();
  });

  test("the story marks what happens and scrolls to it, by itself and without the page or the focus", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none", viewport: low });
    const firstAlert = Math.min(...(await alertsOfYesterday(page, site)));
    await page.goto(`/portal/map/${playedBack.id}?at=${yesterdayOf(site)}T13:45:00Z`);
    await page.locator(".story [aria-current=true]").waitFor();
    // Names of places make the entries higher.
    await page.locator(".story-place").first().waitFor();
    expect(await markedEntry(page)).toEqual({ text: expect.stringMatching(/^Trip 4/), count: 1 });
    expect(await page.evaluate("document.querySelector('.story').scrollTop")).toBeGreaterThan(0);
    expect(await page.evaluate("scrollY")).toBe(0);

    // Its first moment is far above.
    const slider = page.getByLabel("Time of the day");
    await slider.fill(String(Date.parse(`${yesterdayOf(site)}T05:37:00Z`)));
    await page.locator(".story-trip[aria-current=true]").filter({ hasText: "Trip 1" }).waitFor();
    expect(await markedEntry(page)).toMatchObject({ count: 1 });
    // A minute before the first alert, at the slowest pace: so it is soon there, and is not over before it was looked for.
    await slider.fill(String(firstAlert - 60_000));
    await page.locator(".player-pace select").selectOption("30");
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(".story-alert [aria-current=true]").waitFor();
    expect(await page.evaluate("document.activeElement.className")).toBe("play-button");
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  test("the place has a name beside the speed, and the map, the player and the plot fit on a low screen", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { viewport: low });
    await page.goto(`/portal/map/${playedBack.id}?at=${yesterdayOf(site)}T06:45:00Z`);
    await page.locator(".player-place").filter({ hasText: "Port of Lübeck" }).waitFor();
    await page.locator("[data-map=ready]").waitFor();
    await page.locator(".u-over").waitFor();
    const map = await page.locator(".playback-map").boundingBox();
    expect(map?.height).toBeGreaterThanOrEqual(300);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThanOrEqual(low.height);
    await page.getByLabel("Time of the day").fill(String(Date.parse(`${yesterdayOf(site)}T10:53:00Z`)));
    await page
      .locator(".player-place")
      .filter({ hasText: / from / })
      .waitFor();
  });

  test("a moment that was chosen is in the address, and Back leaves the day at once", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/alerts");
    await page.goto(`/portal/map/${playedBack.id}?day=${yesterdayOf(site)}&find=speed`);
    const slider = page.getByLabel("Time of the day");
    await slider.press("ArrowRight");
    await page.waitForURL(/at=/);
    const chosen = Number(await slider.inputValue());
    expect(await inAddress(page, "at")).toBe(formatInstant(chosen));
    expect([await inAddress(page, "find"), await inAddress(page, "day")]).toEqual([null, yesterdayOf(site)]);

    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(`.player-slider:not([value="${chosen}"])`).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForURL((url) => url.searchParams.get("at") !== formatInstant(chosen));
    const paused = Date.parse((await inAddress(page, "at")) ?? "");
    await shownAt(page, paused).waitFor();
    await page.reload();
    await shownAt(page, paused).waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Alerts" }).waitFor();
  });

  test("today grows by itself: at its end the player follows, elsewhere it stays", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none", now: site.now });
    const report = async (at: number) => {
      const stamp = formatInstant(at);
      const place = { latitude: 51.9, longitude: 12.4, speed_kmh: 30, heading_deg: 90, ignition: true };
      await site.load([{ type: "frame", imei: driving.imei, recorded_at: stamp, received_at: stamp, ...place }]);
      await comeBack(page);
    };
    const [one, two, three] = [site.now - 4000, site.now - 2000, site.now - 500];
    await report(one).catch(() => {});
    await page.goto(`/portal/map/${driving.id}`);
    await page.getByRole("button", { name: "Latest" }).click();
    await page.locator('.player-latest[aria-pressed="true"]').waitFor();
    await report(two);
    await shownAt(page, two).waitFor();
    const slider = page.getByLabel("Time of the day");
    await slider.press("Home");
    const begin = await slider.inputValue();
    await report(three);
    await page.locator(`.player-slider[max="${three}"]`).waitFor();
    expect(await slider.inputValue()).toBe(begin);
  });
}
