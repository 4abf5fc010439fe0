import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatInstant } from "../../src/domain/time.ts";
import { device, uuid } from "../support/fleet.ts";
import { ownerEmail, playedBack } from "../support/portal-fleet.ts";
import { type PortalSite, startPortalSite } from "../support/portal-site.ts";

let site: PortalSite;
const dayMs = 86_400_000;

beforeAll(async () => {
  site = await startPortalSite();
}, 60_000);

afterAll(async () => {
  const faults = site.faults();
  await site.close();
  expect(faults).toEqual([]);
});

test("the map shows every vehicle, its details, and what changes without a reload", async () => {
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/map");
  await page.locator("[data-map=ready]").waitFor();
  expect(await page.locator(".vehicle").count()).toBe(24);
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
  // Whoever comes back to the tab need not wait for the next poll.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await details.getByText("Moving").waitFor();
  await details.getByText("64 km/h E").waitFor();
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Atlas 02");
  await leave();
});

test("a poll of unchanged positions is answered without a body", async () => {
  const { page, leave } = await site.signedIn(ownerEmail, { withoutMap: true });
  const statusOfPoll = async () =>
    (await page.waitForResponse((response) => response.url().includes("/data/positions/latest"))).status();
  const [first] = await Promise.all([statusOfPoll(), page.goto("/portal/map")]);
  expect(first).toBe(200);
  await page.locator(".vehicle").first().waitFor();
  const [second] = await Promise.all([
    statusOfPoll(),
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
  ]);
  expect(second).toBe(304);
  await leave();
});

test("playback shows the day: its trips, its stops, what was rejected and why, and the speed", async () => {
  const { page, leave } = await site.signedIn();
  const day = formatInstant(site.now - dayMs).slice(0, 10);
  await page.goto(`/portal/map/${playedBack.id}?day=${day}`);
  await page.getByRole("heading", { name: playedBack.name }).waitFor();
  await page.locator("[data-map=ready]").waitFor();
  expect(await page.locator(".story-trip").count()).toBe(4);
  expect(await page.locator(".story-stop").count()).toBe(3);
  await page.getByText(/rejected frames, and why/).click();
  await page.getByText("The coordinates are 0, 0").waitFor();
  await page.getByText("The tracker had no satellite fix").first().waitFor();
  await page.getByText("An implausible jump").first().waitFor();
  await page.getByRole("img", { name: /Plot of the speed/ }).waitFor();

  const slider = page.getByLabel("Time of the day");
  const begin = await slider.getAttribute("aria-valuetext");
  await page.getByRole("button", { name: "Play" }).click();
  await page.locator(`.player-slider:not([aria-valuetext="${begin}"])`).waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: /^Trip 3/ }).click();
  expect(await slider.getAttribute("aria-valuetext")).toMatch(/^1\d:\d\d$/);

  await page.getByRole("button", { name: "The day before" }).first().click();
  await page.getByText("Nothing was reported on this day").waitFor();
  await leave();
});

test("a browser that cannot draw the map still shows the vehicles, and says why", async () => {
  const { page, leave } = await site.signedIn(ownerEmail, { withoutMap: true });
  await page.goto("/portal/map");
  await page.getByText("This browser cannot draw the map").waitFor();
  expect(await page.locator(".vehicle").count()).toBe(24);
  await leave();
});

test("times are told by the viewer's clock, with UTC beside them, and all in UTC for whoever wants it", async () => {
  const { page, leave } = await site.signedIn(ownerEmail, { withoutMap: true });
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
  await leave();
});
