import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { goTo, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { newcomerEmail, ownerEmail, playedBack, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { loadUsage } from "../../support/portal-usage.ts";

const desktop = { width: 1040, height: 600 };
const phone = { width: 375, height: 720 };

interface View {
  readonly name: string;
  readonly path: string;
  /** Opens what is worth a look, and waits until it is there. */
  readonly open: (page: Page) => Promise<void>;
}

const there = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
const says = (text: string) => (page: Page) => page.getByText(text).waitFor();

const map = { name: "map", path: "/map" };
const viewsOf = ({ now }: PortalSite): readonly View[] => [
  { name: "yesterday", path: "/yesterday", open: there(".fleet-totals") },
  {
    ...map,
    open: async (page) => {
      await page.locator("[data-map=ready], .no-map").waitFor();
      await page.getByRole("button", { name: /Atlas 03/ }).click();
      await page.getByRole("complementary").waitFor();
    },
  },
  {
    name: "playback",
    path: `/map/${playedBack.id}?day=${formatInstant(now - 86_400_000).slice(0, 10)}`,
    open: async (page) => {
      await page.locator("[data-map=ready], .no-map").waitFor();
      await page.locator(".plot").waitFor();
      await page.getByText(/^Stop/).nth(1).click();
    },
  },
  { name: "keys", path: "/keys", open: there(".table-cards") },
  {
    name: "new-key",
    path: "/keys",
    open: async (page) => {
      await page.getByRole("button", { name: /^Create/ }).click();
      await page.getByRole("checkbox", { name: /positions:read/ }).check();
    },
  },
  {
    name: "new-share-link",
    path: "/shares",
    open: async (page) => {
      await page.getByRole("button", { name: "Share vehicles" }).click();
      await page.getByLabel("The track of a period").check();
    },
  },
  {
    name: "usage",
    path: "/usage",
    open: async (page) => {
      await page.locator(".segmented").getByText("Refused (429)").click();
      await page.getByRole("img", { name: /^Bars of 30 days, at most \d+ a day$/ }).waitFor();
      await page.locator(".segmented").getByText("Requests").click();
    },
  },
  { name: "alerts", path: "/alerts?severity=critical,warning,info", open: there(".alert-info") },
  ...["vehicles", "people", "rules", "trackers", "log"].map((part) => ({
    name: part,
    path: `/fleet/${part}`,
    open: there("h1"),
  })),
  { name: "notifications", path: "/notifications", open: there("h1") },
  { name: "planned reports", path: "/reports/planned", open: there("h1") },
  { name: "connecting a tracker", path: "/fleet/connect", open: there(".model") },
  { name: "the lines of a tracker", path: "/fleet/connect?recipe=h02&model=ST-901", open: there(".tracker-lines") },
  {
    name: "account",
    path: "/account",
    open: async (page) => {
      await page.locator(".card").first().waitFor();
      await page.getByText("Olga Brandt", { exact: true }).first().click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
    },
  },
  { name: "no such page", path: "/nothing", open: says("There is no such page") },
];

const viewsOfSubAccount: readonly View[] = [
  { ...map, open: there(".vehicle") },
  { name: "account", path: "/account", open: there(".own-vehicles li") },
];

/** Of a person who has nothing yet. Each says what to do next. */
const emptyViews: readonly View[] = [
  { ...map, open: says("Ask the owner of the account to assign some to you.") },
  { name: "keys", path: "/keys", open: (page) => page.getByText(/^No key/).waitFor() },
  { name: "shares", path: "/shares", open: says("No links yet") },
  { name: "usage", path: "/usage", open: says("No calls in this period") },
  {
    name: "alerts",
    path: "/alerts",
    open: async (page) => {
      await page.getByRole("button", { name: "Show all of the last 31 days" }).click();
      await page.getByText("No alerts in 31 days").waitFor();
    },
  },
  { name: "account", path: "/account", open: says("Ask the owner of the account to assign some to you.") },
];

/** Every view on a desktop in light and dark, by all rules of axe, and on a phone. */
async function lookAt(page: Page, who: string, seen: readonly View[]): Promise<void> {
  await page.goto("/portal/nothing");
  for (const { name, path, open } of seen) {
    await page.setViewportSize(desktop);
    await goTo(page, path);
    await open(page);
    await expectNoBarriers(page, `${who}: ${name}`);
    await page.setViewportSize(phone);
    expect({ who, name, overhang: await overhang(page) }).toEqual({ who, name, overhang: 0 });
    // A dialog that is open stays so, whatever the address says.
    if ((await page.getByRole("dialog").count()) > 0) await page.keyboard.press("Escape");
  }
}

export function testLooks(given: () => PortalSite): void {
  test("no view of the owner has a barrier, in light and in dark, and each fits on a phone", async () => {
    await loadUsage(given().directory, given().now);
    const { page } = await given().signedIn(ownerEmail, { viewport: desktop, map: "none" });
    await lookAt(page, "owner", viewsOf(given()));
  });

  test("nor has one of a sub-account, or of a person who has nothing yet", async () => {
    for (const [email, seen] of [
      [subAccountEmail, viewsOfSubAccount],
      [newcomerEmail, emptyViews],
    ] as const) {
      const { page, leave } = await given().signedIn(email, { viewport: desktop, map: "none" });
      await lookAt(page, email, seen);
      await leave();
    }
  });

  test("no page without a map weighs 150 KB", async () => {
    const settings = ["/shares", "/keys", "/usage", "/account"];
    const fleet = [
      "/fleet/vehicles",
      "/fleet/people",
      "/fleet/rules",
      "/fleet/trackers",
      "/fleet/connect",
      "/fleet/log",
    ];
    const { page } = await given().signedIn(ownerEmail, { viewport: desktop, map: "none" });
    for (const path of ["/yesterday", "/alerts", "/reports/sensors", ...fleet, ...settings]) {
      await page.goto(`/portal${path}`);
      await page.waitForLoadState("networkidle");
      const bytes = await page.evaluate<number>(
        `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/portal/assets/"))
          .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
      );
      expect({ path, isLight: bytes > 50_000 && bytes < 150_000, bytes }).toMatchObject({ path, isLight: true });
    }
  });
}

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
    const { page } = await site.signedIn(undefined, { ...finger, now: site.now });
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
  });

  test("on the smallest phone the figures of a day in German stay in their cells, and the pace is readable", async () => {
    const site = given();
    const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, locale: "de-DE" };
    const { page } = await site.signedIn(undefined, { ...phone, map: "none" });
    await page.goto(`/portal/map/${playedBack.id}?day=${formatInstant(site.now - dayMs).slice(0, 10)}`);
    await page.getByText("Höchsttempo").waitFor();
    expect(await wide(page, ".figures dt, .figures dd, .player-pace select")).toEqual([]);
  });
}

/** What does not fit into its own box. */
async function wide(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((found) => found.scrollWidth > found.clientWidth)
    .map((found) => found.textContent)`);
}
