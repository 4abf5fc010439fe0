import { afterAll, beforeAll, expect, test } from "bun:test";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/time.ts";
import { playedBack } from "../support/portal-fleet.ts";
import { type PortalSite, startPortalSite } from "../support/portal-site.ts";
import { loadUsage } from "../support/portal-usage.ts";

/** With `ODOGRAPH_SCREENSHOTS=docs/images` the pictures of the documentation are made anew. */
const picturesTo = process.env.ODOGRAPH_SCREENSHOTS;

let site: PortalSite;
let axe: string;
const dayMs = 86_400_000;

beforeAll(async () => {
  site = await startPortalSite();
  await loadUsage(site.directory, site.now);
  axe = await Bun.file(createRequire(import.meta.url).resolve("axe-core/axe.min.js")).text();
}, 60_000);

afterAll(async () => {
  const faults = site.faults();
  await site.close();
  expect(faults).toEqual([]);
});

interface View {
  readonly name: string;
  readonly path: string;
  /** Opens what is worth a look, and waits until it is there. */
  readonly open: (page: Page) => Promise<void>;
}

const views: readonly View[] = [
  {
    name: "map",
    path: "/map",
    open: async (page) => {
      await page.locator("[data-map=ready], .no-map").waitFor();
      await page.getByRole("button", { name: /Atlas 03/ }).click();
      await page.getByRole("complementary").waitFor();
    },
  },
  {
    name: "playback",
    path: `/map/${playedBack.id}?day=${formatInstant(Date.now() - dayMs).slice(0, 10)}`,
    open: async (page) => {
      await page.locator("[data-map=ready], .no-map").waitFor();
      await page.locator(".plot").waitFor();
      await page.getByText(/^Stop/).nth(1).click();
    },
  },
  { name: "keys", path: "/keys", open: (page) => page.locator(".table-cards, .empty").first().waitFor() },
  {
    name: "new-key",
    path: "/keys",
    open: async (page) => {
      await page.getByRole("button", { name: /^Create/ }).click();
      await page.getByRole("checkbox", { name: /positions:read/ }).check();
    },
  },
  {
    name: "made-key",
    path: "/keys",
    open: async (page) => {
      await page.getByRole("button", { name: /^Create/ }).click();
      await page.getByLabel("Name").fill("Short-lived");
      await page.getByRole("button", { name: "Choose all" }).click();
      await page.getByRole("button", { name: "Create the key" }).click();
      await page.getByTestId("made-key").waitFor();
    },
  },
  { name: "usage", path: "/usage", open: (page) => page.locator(".plot").waitFor() },
  { name: "alerts", path: "/alerts", open: (page) => page.locator(".alert").first().waitFor() },
  { name: "account", path: "/account", open: (page) => page.locator(".person").first().waitFor() },
];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What somebody who cannot see, or not well, or has no mouse, would stumble over. */
async function barriers(page: Page, runOnly: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(runOnly.length > 0 && { runOnly }) };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Finding[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** The page follows the system while it is open, so that one visit shows both. */
async function expectNoBarriers(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // What differs in the dark are the colours.
    const found = await barriers(page, colorScheme === "dark" ? ["color-contrast"] : []);
    expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
    await keepPicture(page, colorScheme === "light" ? name : `${name}-dark`);
  }
}

test("no view has a barrier, in light and in dark", async () => {
  const viewport = picturesTo === undefined ? { width: 1000, height: 600 } : { width: 1360, height: 850 };
  const stranger = await site.visitor({ viewport });
  await stranger.page.goto("/portal");
  await stranger.page.getByLabel("Password").waitFor();
  await expectNoBarriers(stranger.page, "sign-in");
  await stranger.leave();

  const { page, leave } = await site.signedIn(undefined, { viewport });
  for (const { name, path, open } of views) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(`/portal${path}`);
    await open(page);
    await expectNoBarriers(page, name);
  }
  await leave();
}, 60_000);

test("every view fits on a phone", async () => {
  const viewport = { width: 375, height: 720 };
  const withoutMap = picturesTo === undefined;
  const { page, leave } = await site.signedIn(undefined, { viewport, hasTouch: true, withoutMap });
  for (const { name, path, open } of views) {
    await page.goto(`/portal${path}`);
    await open(page);
    const overhang = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect({ name, overhang }).toEqual({ name, overhang: 0 });
    if (name === "map") await keepPicture(page, "phone");
  }
  await leave();
});

const pictured = new Set("sign-in map map-dark playback keys new-key usage alerts-dark account phone".split(" "));

async function keepPicture(page: Page, name: string): Promise<void> {
  if (picturesTo === undefined || !pictured.has(name)) return;
  await page.evaluate("getSelection().removeAllRanges()");
  await page.waitForLoadState("networkidle");
  if ((await page.locator(".map").count()) > 0) await page.locator("[data-map=ready][data-drawn=true]").waitFor();
  await page.screenshot({ path: join(picturesTo, `portal-${name}.png`) });
}
