import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import npmChromium, { inflate } from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium, errors, type Locator, type Page } from "playwright-core";
import { type MapIs, mapScripts } from "./browser-map.ts";
import { patienceMs } from "./patience.ts";

/** For machines that the npm package has no Chromium for: the path of another one. */
const ownBrowser = process.env.ODOGRAPH_TEST_BROWSER;

/**
 * The map is drawn by the processor, so that it is drawn on every machine. All else is not: without a graphics card that
 * takes half of the time of the tests. No name but this machine's is ever looked up.
 */
const flags = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--font-render-hinting=none",
  "--disable-gpu-compositing",
  "--disable-gpu-rasterization",
  // On a busy machine drawing takes long, which is no reason to end the browser.
  "--disable-gpu-watchdog",
  "--disable-hang-monitor",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE 127.0.0.2",
];

/** A browser that is started again when it has ended by itself. */
export interface LastingBrowser {
  running(): Promise<Browser>;
  close(): Promise<void>;
}

let lost = 0;

/** How many browsers have ended by themselves so far. */
export function browsersLost(): number {
  return lost;
}

export async function startLastingBrowser(): Promise<LastingBrowser> {
  let browser = await startBrowser();
  let isClosing = false;
  const watch = (started: Browser) => {
    started.on("disconnected", () => {
      if (!isClosing) lost++;
    });
  };
  watch(browser);
  return {
    async running() {
      if (!browser.isConnected()) {
        browser = await startBrowser();
        watch(browser);
      }
      return browser;
    },
    async close() {
      isClosing = true;
      await browser.close();
    },
  };
}

/** A real Chromium, from npm, with the fonts and the libraries that came with it. */
async function startBrowser(): Promise<Browser> {
  if (ownBrowser !== undefined) return chromium.launch({ executablePath: ownBrowser, args: flags });
  await unpackOnce();
  const executablePath = await npmChromium.executablePath();
  const libraries = join(tmpdir(), "al2023");
  return chromium.launch({
    executablePath,
    args: flags,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: tmpdir(),
      TMPDIR: tmpdir(),
      FONTCONFIG_FILE: await writeFontSettings(),
      LD_LIBRARY_PATH: join(libraries, "lib"),
    },
  });
}

/** Several processes of a run share what is unpacked: the first unpacks it, and the others wait. */
async function unpackOnce(): Promise<void> {
  const [begun, done] = ["chromium-begun", "chromium-done"].map((name) => join(tmpdir(), name)) as [string, string];
  const isFirst = await mkdir(begun).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await npmChromium.executablePath();
    const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
    await inflate(join(dirname(entry), "..", "bin", "al2023.tar.br"));
    await mkdir(done);
  }
  // One that was killed while it unpacked is not waited for: a browser that is not whole says so by itself.
  for (let waits = 0; waits < 1200 && !existsSync(done); waits++) await Bun.sleep(50);
}

/** The package's own settings name /tmp, whatever the temporary directory is. Without any font the browser ends. */
async function writeFontSettings(): Promise<string> {
  const file = join(tmpdir(), "fonts.conf");
  const directories = `<dir>${join(tmpdir(), "fonts")}</dir><cachedir>${join(tmpdir(), "fonts-cache")}</cachedir>`;
  await writeFile(file, `<?xml version="1.0"?><fontconfig>${directories}</fontconfig>\n`);
  return file;
}

/** A person at a screen of their own: own cookies, own storage. */
export interface Visitor {
  readonly page: Page;
  /** What must never happen: errors, breaches of the page's policy, requests to anywhere else. */
  readonly faults: readonly string[];
  /** Paths of everything that was asked for. */
  readonly requested: readonly string[];
  /** Before the end of the test, so that another can have the screen. */
  leave(): Promise<void>;
  /** Whether they have left, by themselves or at the end of their test. */
  hasLeft(): boolean;
}

/** A refusal is an answer like any other, and a test may cut the line; the browser reports each as an error. */
const refusal =
  /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_INTERNET_DISCONNECTED)/;

export interface VisitOptions extends BrowserContextOptions {
  /** Drawn by default. */
  readonly map?: MapIs;
  /** Other servers that may be asked, by their origins. */
  readonly alsoAsks?: readonly string[];
  /** What its clock says, for ever: for pages of today and yesterday, which could see midnight go by. */
  readonly now?: number;
  /** Whether the screen is nobody's afterwards, because the visit changes it in a way that cannot be undone. */
  readonly once?: boolean;
}

/** The person who sits at the screen now. */
interface Sitting {
  readonly faults: string[];
  readonly requested: string[];
}

interface Screen {
  readonly page: Page;
  sitting: Sitting | null;
}

/**
 * Screens that nobody sits at, by what cannot be changed about them. One that has shown the portal before shows it in a
 * third of the time: its process is there, and has read the scripts.
 */
const freeScreens = new WeakMap<Browser, Map<string, Screen[]>>();

/** Screens that a person sits at, or sat at when a test failed, and what ends the visit. */
const takenScreens = new Map<Screen, () => Promise<void>>();

/** At the end of a test: everybody who has not left does. */
export async function leaveScreens(): Promise<void> {
  await Promise.all([...takenScreens.values()].map((leave) => leave()));
}

/** What is to be seen by those who have not left, once: for the report of a test that failed. */
export async function describeTakenScreens(): Promise<string> {
  const screens = [...takenScreens.keys()];
  takenScreens.clear();
  const described = screens.map(async ({ page, sitting }) => {
    const text = await page.locator("body").innerText({ timeout: 5000 });
    return [
      `On the screen at ${page.url()}:`,
      ...(sitting?.faults ?? []),
      text.slice(0, 2000),
      "…",
      text.slice(2000).slice(-500),
    ].join("\n");
  });
  return (await Promise.allSettled(described)).map((each) => ("value" in each ? each.value : each.reason)).join("\n\n");
}

export async function visit(browser: Browser, origin: string, visitOptions: VisitOptions = {}): Promise<Visitor> {
  const {
    map = "drawn",
    alsoAsks = [],
    once = false,
    now = null,
    viewport = { width: 920, height: 540 },
    colorScheme = "light",
    ...options
  } = visitOptions;
  const kind = JSON.stringify([origin, map, alsoAsks, now, options]);
  const free = freeScreens.get(browser) ?? new Map<string, Screen[]>();
  freeScreens.set(browser, free);
  const sitting: Sitting = { faults: [], requested: [] };
  const screen = free.get(kind)?.pop() ?? (await openScreen(browser, origin, { map, alsoAsks, now }, options));
  screen.sitting = sitting;
  const { page } = screen;
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme });
  const leave = async () => {
    screen.sitting = null;
    takenScreens.delete(screen);
    if (once || !(await clear(page))) return page.context().close();
    free.set(kind, [...(free.get(kind) ?? []), screen]);
  };
  takenScreens.set(screen, leave);
  return { page, ...sitting, leave, hasLeft: () => screen.sitting !== sitting };
}

async function openScreen(
  browser: Browser,
  origin: string,
  { map, alsoAsks, now }: { map: MapIs; alsoAsks: readonly string[]; now: number | null },
  options: BrowserContextOptions,
): Promise<Screen> {
  const asked = new Set([origin, ...alsoAsks]);
  const context = await browser.newContext({
    baseURL: origin,
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  if (map !== "drawn") await context.addInitScript(mapScripts[map]);
  if (now !== null) await context.addInitScript(stoppedClock(now));
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  lookOften(Object.getPrototypeOf(page.locator("html")));
  const screen: Screen = { page, sitting: null };
  context.on("request", (request) => {
    const url = new URL(request.url());
    screen.sitting?.requested.push(url.pathname);
    if (!asked.has(url.origin) && !["data:", "blob:", "about:"].includes(url.protocol))
      screen.sitting?.faults.push(`asked ${url}`);
  });
  context.on("console", (message) => {
    const text = message.text();
    if (["error", "warning"].includes(message.type()) && !refusal.test(text) && !isGraphicsNoise(text))
      screen.sitting?.faults.push(text);
  });
  page.on("pageerror", (error) => screen.sitting?.faults.push(String(error)));
  return screen;
}

/** Of the class that Playwright does not export; once. */
let isLookingOften = false;

/**
 * For what is not there yet, Playwright looks ten times a second if the timeout is short, but soon only twice if it is
 * long: half of a test was spent between two looks. So each wait begins with a short one.
 */
function lookOften(locators: Locator): void {
  if (isLookingOften) return;
  isLookingOften = true;
  const { waitFor } = locators;
  locators.waitFor = async function (this: Locator, options) {
    try {
      await waitFor.call(this, { timeout: 2000, ...options });
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || options?.timeout !== undefined) throw error;
      await waitFor.call(this, options);
    }
  };
  for (const name of ["click", "fill", "check", "press", "selectOption"] as const) {
    const act = locators[name] as (...given: unknown[]) => Promise<unknown>;
    const actWhenThere = async function (this: Locator, ...given: unknown[]) {
      await this.waitFor({ state: "attached" });
      return act.apply(this, given);
    };
    Object.assign(locators, { [name]: actWhenThere });
  }
}

/** Run in the page before its own scripts. Timers go on. */
const stoppedClock = (now: number) => `{
  const { Date } = window;
  window.Date = class extends Date {
    static now = () => ${now};
    constructor(...given) {
      super(...(given.length === 0 ? [${now}] : given));
    }
  };
}`;

/** Nothing of the last visit is left for the next. Returns whether that could be done. */
async function clear(page: Page): Promise<boolean> {
  const context = page.context();
  try {
    await Promise.all([
      context.setOffline(false),
      context.unrouteAll({ behavior: "ignoreErrors" }),
      page.unrouteAll({ behavior: "ignoreErrors" }),
      ...context.pages().map((other) => other !== page && other.close()),
    ]);
    page.removeAllListeners("download");
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    // Of the same server: for another page, even for none, the browser would start another process.
    await page.goto(new URL("/v1/health", page.url()).href);
    await Promise.all([context.clearCookies(), page.mouse.move(0, 0)]);
    return true;
  } catch {
    return false;
  }
}

/** What the drawing by the processor says about its own speed. */
function isGraphicsNoise(text: string): boolean {
  return /GPU stall|GL Driver Message|WebGL: CONTEXT_LOST/.test(text);
}
