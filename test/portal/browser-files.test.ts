import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../src/domain/time/time.ts";
import * as de from "../../src/portal/both-sides/texts/de/index.ts";
import * as en from "../../src/portal/both-sides/texts/en/index.ts";
import { expectNoBarriers } from "../support/browser-barriers.ts";
import { overhang } from "../support/browser-moves.ts";
import { describeInBrowser, testInBrowser as test } from "../support/browser-test.ts";
import { device, hourMs, uuid } from "../support/fleet.ts";
import { drive, loopOf } from "../support/portal-drive.ts";
import { ownerEmail, playedBack, subAccountEmail } from "../support/portal-fleet.ts";
import type { PortalSite } from "../support/portal-site.ts";
import { frozenRows, type ReadCell, readSheet } from "../support/spreadsheet.ts";

const texts = { en, de };
const dayMs = 24 * hourMs;
const desktop = { width: 1280, height: 720 };
const lorry = device(102);
const [amarasTag, nobodysTag] = ["0000001A2B3C4D5E", "00F1"] as const;
const amara = { type: "driver", id: uuid(51), account_id: uuid(1), name: "=Amara", driver_ids: [amarasTag] };

/** Two drives of yesterday by two drivers, with a tank that is read; some of the trips reach into the evening. */
function driven(site: PortalSite) {
  const midnight = Math.floor(site.now / dayMs) * dayMs - dayMs;
  const stretches = [
    { beginAt: midnight + 6 * hourMs, through: loopOf("hamburg-luebeck"), cruiseKmh: 80, driver_id: amarasTag },
    { beginAt: midnight + 12 * hourMs, through: loopOf("luebeck-wismar"), cruiseKmh: 80, driver_id: nobodysTag },
  ];
  const frame = (at: number, fields: object) => {
    const stamp = formatInstant(Math.round(at));
    return { type: "frame", imei: lorry.imei, recorded_at: stamp, received_at: stamp, ...fields };
  };
  const onTheWay = stretches.flatMap(({ driver_id, ...stretch }) =>
    drive(stretch).map(({ at, ...fields }, index) => {
      const sensors = [{ kind: "fuel", sensor: "tank_1", level_percent: 80 - index / 10 }];
      return frame(at, { ...fields, sensors, driver_id });
    }),
  );
  const [longitude, latitude] = loopOf("hamburg-luebeck").at(-1) ?? [];
  const idling = Array.from({ length: 60 }, (_, index) =>
    frame(midnight + 9 * hourMs + index * 30_000, { latitude, longitude, speed_kmh: 0, ignition: true }),
  );
  return [...onTheWay, ...idling];
}

const idlingRule = { type: "alert_settings", device_id: lorry.id, rules: [{ alert_type: "idling" }] };

interface DownloadedSheet {
  readonly name: string;
  /** What stands above the table: its name, the days, and what was chosen. */
  readonly above: readonly ReadCell[];
  /** The table, beginning with its heads. */
  readonly rows: ReadCell[][];
}

async function downloaded(page: Page, click: () => Promise<void>): Promise<DownloadedSheet> {
  const downloading = page.waitForEvent("download");
  await click();
  const file = await downloading;
  const bytes = await Bun.file(await file.path()).bytes();
  const sheet = readSheet(bytes);
  const head = frozenRows(bytes) - 1;
  // An empty row is above the heads.
  expect(sheet[head - 1] ?? []).toEqual([]);
  const above = sheet.slice(0, head - 1).map(([first = ""]) => first);
  return { name: file.suggestedFilename(), above, rows: sheet.slice(head) };
}

/** A cell as a spreadsheet shows it, with the unit that its head names: what the screen says. */
function looks(cell: ReadCell, unit: string | null, locale: string): string {
  if (typeof cell === "string") return cell;
  const { value, format } = cell;
  if (format === "[h]:mm") {
    const minutes = Math.round(value * 1440);
    const rest = String(minutes % 60).padStart(2, "0");
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${rest} min`;
  }
  if (format.startsWith("#")) {
    const decimals = format.split(".")[1]?.length ?? 0;
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const shown = new Intl.NumberFormat(locale, digits).format(value);
    return unit === null ? shown : `${shown} ${unit}`;
  }
  const date = { day: "numeric", month: "short", year: "numeric" } as const;
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  const parts = format.startsWith("hh")
    ? time
    : format.startsWith("ddd")
      ? ({ weekday: "short", day: "numeric", month: "short" } as const)
      : { ...date, ...time };
  const at = Math.round((value - 25_569) * dayMs);
  return new Intl.DateTimeFormat(locale, { ...parts, hourCycle: "h23", timeZone: "UTC" }).format(at);
}

async function choose(page: Page, preferences: object): Promise<void> {
  // As the page sends it.
  const headers = { "X-Odograph-Portal": "1", "Content-Type": "application/json" };
  const sent = JSON.stringify({ method: "PUT", headers, body: JSON.stringify(preferences) });
  const request = `fetch("/portal/api/preferences", ${sent})`;
  expect(await page.evaluate(`${request}.then(({ status }) => status)`)).toBe(200);
}

const plain = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The heads, rows and totals of a table on the screen: of each cell its text, and what stands quietly beside it. */
async function onScreen(page: Page, table = page.locator(".report-table").first()) {
  const texts = async (rows: string, cells: string) => {
    const found = await table
      .locator(rows)
      .evaluateAll(
        (found, name) =>
          found.map((row) =>
            [...row.querySelectorAll(name)].map((cell) => [
              cell.textContent ?? "",
              cell.querySelector(".quiet")?.textContent ?? "",
            ]),
          ),
        cells,
      );
    return found.map((row) =>
      row.map(([whole = "", beside = ""]) => [plain(whole.slice(0, whole.length - beside.length)), plain(beside)]),
    );
  };
  const [heads = []] = await texts("thead tr", "th");
  const totals = (await texts("tfoot tr", "th, td")).map((row) =>
    row.map(([text = ""]) => {
      const [, sum = text, beside = ""] = /^(.+) \((.+)\)$/.exec(text) ?? [];
      return [sum, beside];
    }),
  );
  return { heads: heads.map(([text = ""]) => text), rows: await texts("tbody tr", "th, td"), totals };
}

/** What a sheet has in a column of its own stands on the screen beside what is in the column before: a cell of two texts. */
function asOnScreen(sheet: readonly ReadCell[][], language: "en" | "de", locale: string) {
  const [head = [], ...rows] = sheet;
  const heads = head.map((cell) => /^(.*?)(?: \(([^()]+)\))?$/.exec(String(cell)) ?? []);
  const titles = heads.map(([, title = ""]) => title);
  const { plate, carriedDistance, carried } = texts[language].reports;
  const isBeside = (title: string) => title === plate || title === carriedDistance;
  const textOf = (row: readonly ReadCell[], index: number) =>
    plain(looks(row[index] ?? "", heads[index]?.[2] ?? null, locale));
  const besideOf = (row: readonly ReadCell[], index: number) => {
    const title = titles[index] ?? "";
    const text = isBeside(title) ? textOf(row, index) : "";
    return title === carriedDistance && text !== "" ? carried(text) : text;
  };
  return {
    heads: titles.filter((title) => !isBeside(title)),
    rows: rows.map((row) =>
      titles.flatMap((title, index) => (isBeside(title) ? [] : [[textOf(row, index), besideOf(row, index + 1)]])),
    ),
  };
}

/** The screen has room for plates in one report only. */
async function withPlates(
  page: Page,
  language: "en" | "de",
  { heads, rows, totals }: Awaited<ReturnType<typeof onScreen>>,
) {
  const { data } = (await (await page.request.get("/portal/api/data/devices?limit=500")).json()) as {
    data: { name: string; plate: string | null }[];
  };
  const plates = new Map(data.map(({ name, plate }) => [name, plate ?? ""]));
  const vehicle = heads.indexOf(texts[language].common.vehicle);
  const filled = rows.map((row) =>
    row.map(([text = "", beside = ""], index) => [text, beside || (index === vehicle ? (plates.get(text) ?? "") : "")]),
  );
  return { heads, rows: [...filled, ...totals] };
}

async function expectSameAsScreen(page: Page, language: "en" | "de", locale: string, path: string): Promise<string> {
  const { name, above, rows } = await downloaded(page, () =>
    page.locator(".downloads .download-buttons button").first().click(),
  );
  const days = plain(await page.locator(".report-bar .hint").first().innerText());
  const { allVehicles } = texts[language].common;
  expect([path, above.slice(1)]).toEqual([path, [days, allVehicles]]);
  // All rows are drawn, as for printing.
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const screen = await withPlates(page, language, await onScreen(page));
  expect([path, asOnScreen(rows, language, locale)]).toEqual([path, screen]);
  return name;
}

describeInBrowser((given) => {
  const reports = [
    "trips",
    "trips?view=drivers",
    "trips?sort=-distance",
    "mileage",
    "mileage?view=days",
    "stops",
    "stops?view=idling",
    "crossings",
    "alerts",
  ];

  test("the Excel file of every report has the rows, columns, totals and times of the screen", async () => {
    const site = given();
    await site.load([amara, idlingRule, ...driven(site)]);
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now, once: true });
    await page.goto("/portal/account");
    for (const [language, locale] of [
      ["en", "en-GB"],
      ["de", "de"],
    ] as const) {
      const units = language === "de" ? { distance: "mi", volume: "gal" } : { distance: "km" };
      await choose(page, { language, ...units });
      let names: string[] = [];
      for (const path of reports) {
        await page.goto(`/portal/reports/${path}`);
        await page.locator(".report-table tbody tr").first().waitFor();
        names = [...names, await expectSameAsScreen(page, language, locale, path)];
      }
      const day = formatInstant(site.now - dayMs).slice(0, 10);
      expect(names[0]).toBe(language === "en" ? `Trips_${day}.xlsx` : `Fahrten_${day}.xlsx`);
      await page.goto(`/portal/reports/sensors?vehicle=${lorry.id}`);
      await page.locator(".report-table tbody tr").first().waitFor();
      const { rows } = await downloaded(page, () => page.locator(".report-card .button-small").first().click());
      const screen = await onScreen(page);
      expect(asOnScreen(rows, language, locale)).toEqual({ heads: screen.heads, rows: screen.rows });
    }
    await choose(page, {});
  });

  test("a file says what was chosen: vehicles, a driver, a severity", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now });
    for (const [path, about] of [
      [`alerts?period=week&severity=critical&vehicle=${lorry.id}`, `${lorry.name} · Critical`],
      ["trips?driver=%3DAmara", "All vehicles · Driver: =Amara"],
    ] as const) {
      await page.goto(`/portal/reports/${path}`);
      await page.locator(".report-bar .report-status").getByText(/\d/).first().waitFor();
      const { above } = await downloaded(page, () =>
        page.locator(".downloads .download-buttons button").first().click(),
      );
      expect([path, above.at(-1)]).toEqual([path, about]);
    }
  });

  test("a text that a spreadsheet could run is a text in the file", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now });
    await page.goto("/portal/reports/trips?view=drivers");
    await page.getByRole("rowheader", { name: "=Amara" }).waitFor();
    const { rows } = await downloaded(page, () => page.locator(".downloads .download-buttons button").first().click());
    expect(rows.map(([first]) => first)).toContain("=Amara");
  });

  test("the owner names the driver that a tracker sent, and trips show the name at once", async () => {
    const site = given();
    const { page } = await site.signedIn(ownerEmail, { viewport: desktop, now: site.now });
    await page.goto("/portal/fleet/drivers");
    await page.getByText(`${nobodysTag}, last sent`).waitFor();
    await expectNoBarriers(page, "drivers");
    await page.getByRole("button", { name: `Name it: ${nobodysTag}` }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ben Falk");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Ben Falk" }).waitFor();
    expect(await page.getByText(`${nobodysTag}, last sent`).count()).toBe(0);
    await page.goto("/portal/reports/trips?view=drivers");
    await page.getByRole("link", { name: "Ben Falk" }).click();
    await page.getByText("Driver: Ben Falk").waitFor();
    const drivers = await page.locator("tbody td[data-label=Driver]").allInnerTexts();
    expect(new Set(drivers)).toEqual(new Set(["Ben Falk"]));

    await page.goto("/portal/fleet/drivers");
    await page.getByRole("button", { name: "Erase Ben Falk for good" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Erase for good" }).click();
    await page.getByText(`${nobodysTag}, last sent`).waitFor();
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      expect(await overhang(page)).toBe(0);
    }
  });

  test("a sub-account sees who drove what it sees, and no list of drivers", async () => {
    const site = given();
    const { page } = await site.signedIn(subAccountEmail, { viewport: desktop, now: site.now });
    await page.goto("/portal/reports/trips");
    await page.locator("tbody td[data-label=Driver]").first().waitFor();
    expect(await page.locator("tbody").innerText()).toContain("=Amara");
    expect(await page.locator("tbody").innerText()).not.toContain(playedBack.name);
    expect((await page.request.get("/portal/api/fleet/drivers")).status()).toBe(403);
  });
});
