import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { formatInstant } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { vehiclesDrawn as drawn, vehiclesDrawn } from "../../support/browser-map.ts";
import { addressOf, comeBack, expectFocus } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, uuid } from "../../support/fleet.ts";
import { type GeocoderUnderTest, startGeocoder } from "../../support/geocoder-server.ts";
import { patienceMs, until } from "../../support/patience.ts";
import { oneVehicleEmail, ownerEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";
import { framesOf, roadEmail, streetEmail, truck, yardEmail, yardFleet } from "../../support/yard-fleet.ts";

export function testMap(given: () => PortalSite): void {
  test("the map shows every vehicle, its details, and what changes without a reload", async () => {
    const site = given();
    const { page } = await site.signedIn();
    await page.goto("/portal/map");
    await page.locator("[data-map=ready]").waitFor();
    await page.locator(".vehicle").first().waitFor();
    expect(await page.locator(".vehicle").count()).toBe(24);
    const heights = await page.locator(".vehicle").evaluateAll((rows) => rows.map(({ clientHeight }) => clientHeight));
    expect(new Set(heights).size).toBe(1);
    await page.getByLabel(/Search/).fill("hh nl 107");
    await page.getByText("1 of 24 vehicles").waitFor();
    await page.getByRole("button", { name: /Atlas 02/ }).click();
    const details = page.getByRole("complementary");
    await details.getByText("Offline").waitFor();

    const frame = { latitude: 53.6, longitude: 10.1, speed_kmh: 64, heading_deg: 90, ignition: true };
    const now = Date.now();
    await site.load(
      [60_000, 30_000, 1_000].map((agoMs, index) => {
        const recorded_at = formatInstant(now - agoMs);
        const longitude = frame.longitude + index * 0.008;
        return { type: "frame", imei: device(107).imei, recorded_at, received_at: recorded_at, ...frame, longitude };
      }),
    );
    await comeBack(page);
    await details.getByText("Moving").waitFor();
    await details.getByText("64 km/h E").waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await expectFocus(page, /Atlas 02/);

    // What is shown is no longer live once the server does not answer.
    await page.getByText("Live", { exact: true }).waitFor();
    await page.context().setOffline(true);
    await comeBack(page);
    await page.getByText("The server cannot be reached.").waitFor();
    expect(await page.getByText("Live", { exact: true }).count()).toBe(0);
  });

  test("a click on a vehicle on the map opens its details", async () => {
    const { page } = await given().signedIn(oneVehicleEmail, { map: "drawn" });
    await page.goto("/portal/map");
    await vehiclesDrawn(page);
    // The only vehicle is in the middle.
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(".maplibregl-canvas").boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.getByRole("complementary").getByRole("heading", { name: "Delta 02" }).waitFor();
    expect((await addressOf(page)).searchParams.get("vehicle")).toBe(uuid(110));
  });

  test("a poll of unchanged positions is answered without a body", async () => {
    const { page } = await given().signedIn(ownerEmail, { map: "none" });
    const statusOfPoll = async () =>
      (await page.waitForResponse((response) => response.url().includes("/live-positions"))).status();
    const [first] = await Promise.all([statusOfPoll(), page.goto("/portal/map")]);
    expect(first).toBe(200);
    await page.locator(".vehicle").first().waitFor();
    const [second] = await Promise.all([statusOfPoll(), comeBack(page)]);
    expect(second).toBe(304);
    // A browser that cannot draw the map still shows the vehicles, and says why.
    await page.getByText("This browser cannot draw the map").waitFor();
    expect(await page.locator(".vehicle").count()).toBe(24);
  });
}

/** The point of the page in the middle of the map. */
async function middleOfMap(page: Page): Promise<[x: number, y: number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(".maplibregl-canvas").boundingBox()) ?? {};
  return [x + width / 2, y + height / 2];
}

async function clickMiddle(page: Page): Promise<void> {
  const [x, y] = await middleOfMap(page);
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
}

/** Where on the page the vehicle of the card is drawn, as soon as the map has moved there. */
async function focusedAt(page: Page): Promise<{ x: number; y: number }> {
  const map = page.locator('[data-focused-at]:not([data-focused-at=""])');
  await map.waitFor();
  const text = (await map.getAttribute("data-focused-at")) ?? "";
  const [x = 0, y = 0] = text.split(",").map(Number);
  const box = await map.boundingBox();
  return { x: x + (box?.x ?? 0), y: y + (box?.y ?? 0) };
}

export function testMapPlaces(given: () => PortalSite): void {
  let geocoder: GeocoderUnderTest;
  let site: PortalSite;

  // A fleet of its own beside that of the other tests, on a server with a geocoder.
  beforeAll(async () => {
    geocoder = startGeocoder("photon");
    site = await given().beside("--geocoder", geocoder.url);
    await site.load(yardFleet(Date.now()));
  }, patienceMs);

  afterAll(async () => {
    const faults = site.faults();
    await site.close();
    await geocoder.stop();
    expect(faults).toEqual([]);
  });

  test("vehicles in one place are one sign; a click lists them, and the list works by keyboard", async () => {
    const { page } = await site.signedIn(yardEmail);
    await page.goto("/portal/map");
    await drawn(page);
    await clickMiddle(page);
    await page.getByRole("heading", { name: "5 vehicles here" }).waitFor();
    await expectNoBarriers(page, "a pile of vehicles");
    const pile = page.getByRole("complementary");
    expect(await pile.locator(".vehicle-name").allInnerTexts()).toEqual(
      [201, 202, 203, 204, 205].map((n) => `Van ${n}`),
    );
    await expectFocus(page, /^5 vehicles here$/);
    // The sign is beside the card.
    const { x, y } = await focusedAt(page);
    expect(x).toBeLessThan((await pile.boundingBox())?.x ?? 0);
    await page.keyboard.press("Escape");
    await pile.waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.className")).toContain("maplibregl-canvas");

    await drawn(page);
    await page.mouse.click(x, y);
    await pile.waitFor();
    // The button that closes it, then the rows.
    for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
    await pile.getByRole("heading", { name: "Van 202" }).waitFor();
  });

  test("a click on vehicles that are close brings the map nearer", async () => {
    const { page } = await site.signedIn(streetEmail);
    await page.goto("/portal/map");
    await drawn(page);
    const scale = page.locator(".maplibregl-ctrl-scale");
    const before = await scale.innerText();
    await clickMiddle(page);
    await until(async () => (await scale.innerText()) !== before);
    await drawn(page);
    expect(await page.getByRole("complementary").count()).toBe(0);
    // Now the one in the middle is alone.
    await clickMiddle(page);
    await page.getByRole("complementary").getByRole("heading", { name: "Van 212" }).waitFor();
  });

  test("the list says where vehicles are and for how long, and the address what is shown", async () => {
    const { page, leave } = await site.signedIn(yardEmail, { map: "none" });
    await page.goto("/portal/map");
    const first = page.locator(".vehicle").first();
    await first.getByText("North yard").waitFor();
    expect(await first.innerText()).toMatch(/Stopped[\s\S]*for 2 h 0\d min/);
    await page.getByLabel("Tag").selectOption("even");
    await page.getByText("2 of 5 vehicles").waitFor();
    await page.getByRole("button", { name: /^Stopped/ }).click();
    await page.getByLabel(/Search/).fill("van 20");
    await page.waitForURL(/search=van/);
    const { searchParams } = await addressOf(page);
    expect(Object.fromEntries(searchParams)).toEqual({ tag: "even", state: "stopped", search: "van 20" });
    await page.reload();
    await page.getByText("2 of 5 vehicles").waitFor();
    expect(await page.getByLabel(/Search/).inputValue()).toBe("van 20");
    await page.getByRole("button", { name: /^Van 204/ }).click();
    expect((await addressOf(page)).searchParams.get("tag")).toBe("even");
    await leave();

    const street = await site.signedIn(streetEmail, { map: "none" });
    await street.page.goto("/portal/map");
    await street.page.locator(".vehicle").first().getByText("600 m from North yard").waitFor();
  });

  test("a selected vehicle is beside its card, has the name of its street, and is followed until one pans", async () => {
    const { page, requested } = await site.signedIn(roadEmail);
    await page.goto("/portal/map");
    await drawn(page);
    await page.getByRole("button", { name: /Truck 221/ }).click();
    const card = page.getByRole("complementary");
    await card.getByText("Hafenstraße 12, Hamburg").waitFor();
    await card.getByText(/^driving (29|3\d) min$/).waitFor();
    const at = await focusedAt(page);
    const box = await card.boundingBox();
    expect(at.x).toBeLessThan((box?.x ?? 0) - 30);
    await drawn(page);
    // The trail.
    expect(requested.filter((path) => path.endsWith("/data/positions/history")).length).toBe(1);
    const follow = card.getByRole("button", { name: "Follow" });
    await follow.click();
    expect(await follow.getAttribute("aria-pressed")).toBe("true");
    const moved = { latitude: truck.latitude, longitude: truck.longitude + 0.004, speed_kmh: 40, ignition: true };
    await site.load(framesOf(221, Date.now(), [{ ...moved, agoMs: 500 }]));
    const answered = page.waitForResponse((response) => response.url().includes("/live-positions"));
    await comeBack(page);
    await answered;
    await card.getByText("53.70000, 10.00400").waitFor();
    await drawn(page);
    // It is drawn where it was: the map has moved.
    const after = await focusedAt(page);
    expect(Math.abs(after.x - at.x) + Math.abs(after.y - at.y)).toBeLessThan(4);

    // Not on the vehicle, and beside the card.
    const [x, y] = [after.x - 60, after.y + 60];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const step of [20, 40, 60]) await page.mouse.move(x + step, y);
    await page.mouse.up();
    await page.locator(".details [aria-pressed=false]").waitFor();
    await expectNoBarriers(page, "a selected vehicle");
  });

  test("on a phone the way to the day of a vehicle is on the screen as soon as it is selected", async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await site.signedIn(yardEmail, { viewport, map: "none" });
    await page.goto("/portal/map");
    await page.getByRole("button", { name: /^Van 205/ }).click();
    const { y = 0, height = 0 } = (await page.getByRole("link", { name: "Play back a day" }).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(viewport.height - 70);
  });

  test("times are in the account's zone, with UTC beside them, and all in UTC for a person who chose it", async () => {
    const limits = { per_second: 50, per_day: 100_000 };
    await site.load([{ type: "account", id: uuid(1), name: "Nordlicht", limits, time_zone: "Asia/Kolkata" }]);
    const { page } = await site.signedIn(ownerEmail, { map: "none" });
    await page.goto(`/portal/map?vehicle=${uuid(101)}`);
    const time = page.getByRole("complementary").locator("dd time");
    await time.waitFor();
    const utc = (await time.getAttribute("dateTime")) ?? "";
    expect(await time.getAttribute("title")).toBe(`${utc.slice(0, 19).replace("T", " ")} UTC`);
    const local = await time.innerText();
    await page.getByText("Olga Brandt", { exact: true }).first().click();
    await page.getByText("UTC", { exact: true }).click();
    expect(await time.innerText()).toContain(utc.slice(11, 19));
    expect(await time.innerText()).not.toBe(local);
  });
}
