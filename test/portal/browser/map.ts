import { expect } from "bun:test";
import { formatInstant } from "../../../src/domain/time.ts";
import { vehiclesDrawn } from "../../support/browser-map.ts";
import { addressOf, comeBack, expectFocus } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, uuid } from "../../support/fleet.ts";
import { oneVehicleEmail, ownerEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

export function testMap(given: () => PortalSite): void {
  test("the map shows every vehicle, its details, and what changes without a reload", async () => {
    const site = given();
    const { page, leave } = await site.signedIn();
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
    await leave();
  });

  test("a click on a vehicle on the map opens its details", async () => {
    const { page, leave } = await given().signedIn(oneVehicleEmail, { map: "drawn" });
    await page.goto("/portal/map");
    await vehiclesDrawn(page);
    // The only vehicle is in the middle.
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(".maplibregl-canvas").boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.click(x + width / 2, y + height / 2);
    await page.getByRole("complementary").getByRole("heading", { name: "Delta 02" }).waitFor();
    expect((await addressOf(page)).searchParams.get("vehicle")).toBe(uuid(110));
    await leave();
  });

  test("a poll of unchanged positions is answered without a body", async () => {
    const { page, leave } = await given().signedIn(ownerEmail, { map: "none" });
    const statusOfPoll = async () =>
      (await page.waitForResponse((response) => response.url().includes("/data/positions/latest"))).status();
    const [first] = await Promise.all([statusOfPoll(), page.goto("/portal/map")]);
    expect(first).toBe(200);
    await page.locator(".vehicle").first().waitFor();
    const [second] = await Promise.all([statusOfPoll(), comeBack(page)]);
    expect(second).toBe(304);
    // A browser that cannot draw the map still shows the vehicles, and says why.
    await page.getByText("This browser cannot draw the map").waitFor();
    expect(await page.locator(".vehicle").count()).toBe(24);
    await leave();
  });

  test("times are told by the account's clock, with UTC beside them, and all in UTC for whoever wants it", async () => {
    const site = await given().beside();
    const limits = { per_second: 50, per_day: 100_000 };
    await site.load([{ type: "account", id: uuid(1), name: "Nordlicht", limits, time_zone: "Asia/Kolkata" }]);
    const { page, leave } = await site.signedIn(ownerEmail, { map: "none" });
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
    await site.close();
  });
}
