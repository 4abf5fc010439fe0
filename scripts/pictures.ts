/**
 * The pictures of the documentation, made anew from a demo: `bun scripts/pictures.ts`. A demo of another day is another
 * picture, so they are made when the pages have changed, not at every release.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { startLastingBrowser, visit } from "../test/support/browser.ts";
import { freePort } from "../test/support/ingest-server.ts";
import { startOdograph } from "../test/support/program.ts";

const folder = fileURLToPath(new URL("../docs/images", import.meta.url));
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly viewport?: typeof desktop;
  readonly colorScheme?: "light" | "dark";
  /** What is done before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Vans drive in the city, where there are streets to be seen. At night they stand: then whatever else drives. */
const selectMovingVan = async (page: Page) => {
  const moving = page.locator(".vehicle", { hasText: "km/h" });
  await moving.first().waitFor();
  const vans = moving.filter({ hasText: "Van" });
  await ((await vans.count()) > 0 ? vans : moving).first().click();
};
/** Of yesterday, of a vehicle that drove: which ones did differs from day to day. */
const playBack = async (page: Page) => {
  await page.locator(".vehicle-bars a", { hasText: "Reefer" }).first().click();
  await page.locator(".plot").waitFor();
};
const createKey = async (page: Page) => {
  await page.getByRole("button", { name: /^Create/ }).click();
  await page.getByRole("checkbox", { name: /positions:read/ }).check();
};

const editFence = async (page: Page) => {
  await page.getByRole("button", { name: /^Airport/ }).click();
  await page.getByLabel("Name").waitFor();
};

const pictures: readonly Picture[] = [
  { name: "portal-yesterday", path: "/portal/yesterday" },
  { name: "portal-map", path: "/portal/map", prepare: selectMovingVan },
  { name: "portal-map-dark", path: "/portal/map", colorScheme: "dark" },
  { name: "portal-phone", path: "/portal/map", viewport: phone, prepare: selectMovingVan },
  { name: "portal-yesterday-phone", path: "/portal/yesterday", viewport: phone, colorScheme: "dark" },
  { name: "portal-playback", path: "/portal/yesterday", prepare: playBack },
  { name: "portal-reports", path: "/portal/reports/trips?period=yesterday" },
  { name: "portal-alerts-dark", path: "/portal/alerts", colorScheme: "dark" },
  { name: "portal-vehicles", path: "/portal/fleet/vehicles" },
  { name: "portal-fences", path: "/portal/fleet/fences", prepare: editFence },
  { name: "portal-keys", path: "/portal/keys" },
  { name: "portal-new-key", path: "/portal/keys", prepare: createKey },
  { name: "portal-usage", path: "/portal/usage" },
  { name: "reference", path: "/docs" },
];

/** The days of the demo before its last are made while it is served. */
async function allDaysMade(page: Page): Promise<void> {
  for (;;) {
    const session = await (await page.request.get("/portal/api/session")).json();
    if (session.demo_history === null) return;
    await Bun.sleep(1_000);
  }
}

/** All, unless some are named. */
const wanted = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), "odograph-pictures-"));
const [port, ingestPort] = [String(await freePort()), String(await freePort())];
const demo = await startOdograph(["demo", "--data", directory, "--port", port, "--ingest-port", ingestPort]);
const browser = await startLastingBrowser();
try {
  for (const { name, path, viewport = desktop, colorScheme = "light", prepare } of pictures) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { page, leave } = await visit(await browser.running(), demo.url, { viewport, colorScheme });
    await page.goto("/portal");
    await page.getByLabel("E-mail").fill("demo@odograph.example");
    await page.getByLabel("Password").fill("odograph-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await allDaysMade(page);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await prepare?.(page);
    await page.waitForLoadState("networkidle");
    if ((await page.locator(".map").count()) > 0) await page.locator("[data-map=ready][data-drawn=true]").waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    console.log(name);
    await leave();
  }
} finally {
  await browser.close();
  await demo.stop();
  await rm(directory, { recursive: true, force: true });
}
