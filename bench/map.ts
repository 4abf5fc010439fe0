/**
 * The portal's map in a real browser that draws by the processor, with many vehicles and with few, in turns: how soon the list
 * and the marks are there, and how far apart the frames are while the map is panned, from Chromium's own trace.
 *
 *     node_modules/.bin/bun bench/map.ts [--many 2000] [--few 40] [--rounds 5] [--pan-ms 4000] [--before ../other-checkout]
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { hashPassword } from "../src/access/passwords.ts";
import { formatReported } from "../src/domain/reported.ts";
import { openDatabase } from "../src/store/open.ts";
import { sql } from "../src/store/sql.ts";
import { startLastingBrowser } from "../test/support/browser.ts";
import { median } from "./support/figures.ts";
import { reportAt, seedBenchFleet } from "./support/fleet.ts";
import { readOptions } from "./support/options.ts";
import { ownRoot } from "./support/program.ts";
import { type RunningServer, startOdograph } from "./support/servers.ts";

const options = readOptions(import.meta.url, { many: 2000, few: 40, rounds: 5, "pan-ms": 4000, before: null });
const password = "correct horse battery";
/** Past this rank a frame is a stumble that a person notices. */
const slowRank = 0.95;

/** The vehicles in an area as large as a city and its surroundings, a third of them driving. */
async function seed(directory: string, vehicles: number): Promise<void> {
  const database = await openDatabase({ engine: "sqlite", directory }, { create: true });
  await seedBenchFleet(database, vehicles, 0);
  const hash = await hashPassword(password);
  const now = Date.now();
  await database.transaction(async (tx) => {
    await tx.run(sql`update users set password_hash = ${hash}`);
    for (let device = 1; device <= vehicles; device++) {
      const [x, y] = [(device * 0.618034) % 1, (device * 0.754878) % 1];
      const speed_kmh = device % 3 === 0 ? 30 + (device % 60) : 0;
      const place = { latitude: 52.3 + 0.4 * y, longitude: 13 + 0.8 * x, speed_kmh, ignition: speed_kmh > 0 };
      const at = now - (device % 50) * 1000;
      await tx.run(sql`
        update latest_positions set fields_json = ${formatReported({ ...reportAt(at, device), ...place })},
          recorded_at = ${at}, received_at = ${at}, last_seen_at = ${at} where device = ${device}`);
    }
  });
  await database.close();
}

interface Figures {
  readonly listMs: number;
  readonly marksMs: number;
  readonly frames: number;
  readonly frameMs: number;
  readonly slowFrameMs: number;
}

async function measure(browser: Browser, { port }: RunningServer): Promise<Figures> {
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width: 1280, height: 800 },
  });
  try {
    const page = await context.newPage();
    // On a busy machine the first picture takes long.
    page.setDefaultTimeout(300_000);
    await page.goto("/portal");
    await page.locator("input[type=email]").fill("owner@bench.test");
    await page.locator("input[type=password]").fill(password);
    await page.locator("button[type=submit]").click();
    await page.getByRole("navigation").first().waitFor();
    const began = performance.now();
    await page.goto("/portal/map");
    await page.locator(".vehicle").first().waitFor();
    const listMs = performance.now() - began;
    await page.locator("[data-map=ready][data-drawn=true]").waitFor();
    const marksMs = performance.now() - began;
    // What comes after the first picture, such as the trips under way, is not what is measured.
    await page.waitForLoadState("networkidle");
    const gaps = await framesWhilePanning(page);
    const sorted = gaps.toSorted((one, other) => one - other);
    const slowFrameMs = sorted[Math.floor(sorted.length * slowRank)] ?? Number.NaN;
    return { listMs, marksMs, frames: gaps.length, frameMs: median(gaps), slowFrameMs };
  } finally {
    await context.close();
  }
}

/** Milliseconds between the frames of the map, which is drawn in callbacks of animation frames, by Chromium's trace. */
async function framesWhilePanning(page: Page): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const times: number[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, ts } of value as unknown as { readonly name: string; readonly ts: number }[])
      if (name === "FireAnimationFrame") times.push(ts / 1000);
  });
  const ended = new Promise<void>((resolve) => session.once("Tracing.tracingComplete", () => resolve()));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: ["devtools.timeline"] },
    transferMode: "ReportEvents",
  });
  await pan(session);
  await session.send("Tracing.end");
  await ended;
  const inOrder = times.toSorted((one, other) => one - other);
  return inOrder.slice(1).map((time, index) => time - (inOrder[index] ?? time));
}

/** To and fro, so that nothing leaves the picture for good. */
async function pan(session: CDPSession): Promise<void> {
  const mouse = (type: "mousePressed" | "mouseMoved" | "mouseReleased", x: number, y: number) =>
    session.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
  const [x, y] = [800, 430];
  await mouse("mousePressed", x, y);
  const until = performance.now() + options["pan-ms"];
  for (let step = 0; performance.now() < until; step++) {
    await mouse("mouseMoved", x + 200 * Math.sin(step / 12), y + 120 * Math.sin(step / 19));
    await Bun.sleep(8);
  }
  await mouse("mouseReleased", x, y);
}

const directory = await mkdtemp(join(tmpdir(), "odograph-map-"));
const browser = await startLastingBrowser();
const servers: { readonly name: string; readonly vehicles: number; readonly server: RunningServer }[] = [];
try {
  for (const vehicles of [options.few, options.many]) {
    const versions = [["now", ownRoot] as const, ...(options.before ? [["before", options.before] as const] : [])];
    for (const [name, root] of versions) {
      const store = join(directory, `${name}-${vehicles}`);
      await seed(store, vehicles);
      servers.push({ name, vehicles, server: await startOdograph({ engine: "sqlite", directory: store }, root) });
    }
  }
  const figures = new Map<(typeof servers)[number], Figures[]>(servers.map((each) => [each, []]));
  // The first visit fills caches.
  for (const { server } of servers) await measure(await browser.running(), server);
  for (let round = 0; round < options.rounds; round++) {
    for (const [each, found] of figures) found.push(await measure(await browser.running(), each.server));
  }
  const middle = (found: readonly Figures[], name: keyof Figures) => median(found.map((each) => each[name]));
  for (const [{ name, vehicles }, found] of figures) {
    const ms = (figure: keyof Figures) => `${middle(found, figure).toFixed(0)} ms`;
    console.log(
      `${name}, ${vehicles} vehicles: list ${ms("listMs")}, marks ${ms("marksMs")}, frames every ${ms("frameMs")}` +
        ` (95 %: ${ms("slowFrameMs")}), ${middle(found, "frames")} frames`,
    );
  }
  for (const wanted of new Set(servers.map(({ name }) => name))) {
    const [few = [], many = []] = [...figures].filter(([{ name }]) => name === wanted).map(([, found]) => found);
    const ratio = (name: keyof Figures) => (middle(many, name) / middle(few, name)).toFixed(2);
    console.log(
      `${wanted}, many to few: list ${ratio("listMs")}, marks ${ratio("marksMs")}, frames ${ratio("frameMs")}` +
        ` (95 %: ${ratio("slowFrameMs")})`,
    );
  }
} finally {
  await Promise.all(servers.map(({ server }) => server.stop()));
  await browser.close();
  await rm(directory, { recursive: true, force: true });
}
