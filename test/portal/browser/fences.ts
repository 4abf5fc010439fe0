import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { drawn } from "../../support/browser-map.ts";
import { addressOf, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { uuid } from "../../support/fleet.ts";
import { patienceMs, until } from "../../support/patience.ts";
import { ownerEmail, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const depot = uuid(31);

async function open(page: Page, fence: string): Promise<void> {
  // The map moves to the fences when they have come.
  const listed = page.waitForResponse((response) => response.url().endsWith("/fleet/geofences"));
  await page.goto(`/portal/fleet/fences?fence=${fence}`);
  await (await listed).finished();
  await drawn(page);
  if (fence !== "new") await page.locator(".handle").first().waitFor();
}

/** A place on the map, in parts of its width and height. */
async function placeOn(page: Page, x: number, y: number): Promise<[number, number]> {
  const box = await page.locator(".maplibregl-canvas").boundingBox();
  if (box === null) throw new Error("there is no map");
  return [box.x + box.width * x, box.y + box.height * y];
}

async function clickOn(page: Page, x: number, y: number): Promise<void> {
  const points = await page.locator(".handle-point").count();
  await page.mouse.click(...(await placeOn(page, x, y)));
  await until(async () => (await page.locator(".handle-point").count()) > points);
}

async function drag(page: Page, handle: string, x: number, y: number): Promise<void> {
  const box = await page.locator(`[data-handle="${handle}"]`).boundingBox();
  if (box === null) throw new Error(`there is no handle ${handle}`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(...(await placeOn(page, x, y)), { steps: 6 });
  await page.mouse.up();
}

/** The fences that the API shows to the owner. */
async function fencesOf(
  page: Page,
): Promise<{ name: string; geofence_id: string; geometry: { coordinates: unknown } }[]> {
  const { data } = await (await page.request.get("/portal/api/data/geofences?limit=500")).json();
  return data;
}

const named = async (page: Page, name: string) => (await fencesOf(page)).find((fence) => fence.name === name);

/** The tests that edit share a server; each leaves its fences to the next. */
export function testFences(given: () => PortalSite): void {
  let site: PortalSite;
  beforeAll(async () => {
    site = await given().beside();
  }, patienceMs);
  afterAll(async () => {
    expect(site.faults()).toEqual([]);
    await site.close();
  });

  test("the owner draws a polygon, sees whom it concerns, and the API has it", async () => {
    const { page } = await site.signedIn();
    await page.goto("/portal/fleet/fences");
    await page.getByText("3 fences").waitFor();
    await page.getByRole("button", { name: /Depot Hamburg.*Circle, radius 2,500 m/ }).waitFor();
    await expectNoBarriers(page, "the list of fences");
    await page.getByLabel("Search fences").fill("port");
    await page.getByText("1 of 3 fences").waitFor();
    await page.getByRole("button", { name: "New fence" }).click();
    await page.getByText("Polygon", { exact: true }).click();
    await drawn(page);
    await clickOn(page, 0.3, 0.3);
    await clickOn(page, 0.7, 0.3);
    await clickOn(page, 0.7, 0.7);
    await page.mouse.dblclick(...(await placeOn(page, 0.3, 0.7)));
    await page.getByRole("button", { name: "Draw again" }).waitFor();
    expect(await page.locator(".handle-point").count()).toBe(4);
    expect(await page.locator(".handle-middle").count()).toBe(4);
    await page.getByText("Enter a name.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Everywhere");
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByText("24 of 24 chosen").waitFor();
    await page.getByText(/^24 vehicles; \d+ vehicles are inside now$/).waitFor();
    await page.getByText("What this changes:").waitFor();
    await expectNoBarriers(page, "a new fence");
    expect(await named(page, "Everywhere")).toBeUndefined();
    await page.getByRole("button", { name: "Add fence" }).click();
    await page.getByRole("heading", { name: "Everywhere" }).waitFor();
    const stored = await named(page, "Everywhere");
    expect(stored?.geometry.coordinates).toMatchObject([{ length: 5 }]);
    expect((await addressOf(page)).searchParams.get("fence")).toBe(stored?.geofence_id ?? "");
    await page.getByRole("button", { name: "All fences" }).click();
    await page.getByText("4 fences").waitFor();
  });

  test("a shape is changed by its handles, edges that cross are reported, and every step is undone", async () => {
    const { page } = await given().signedIn();
    await open(page, "new");
    await page.getByText("Polygon", { exact: true }).click();
    await clickOn(page, 0.3, 0.3);
    await clickOn(page, 0.7, 0.3);
    await clickOn(page, 0.7, 0.7);
    await clickOn(page, 0.3, 0.7);
    // A click on the first corner closes the outline.
    await page.locator('[data-handle="point 0 0"]').click();
    await page.getByLabel("Name", { exact: true }).fill("Shape");
    const add = page.getByRole("button", { name: "Add fence" });
    await until(() => add.isEnabled());
    await drag(page, "point 0 0", 0.8, 0.5);
    // Beside the button that it disables, as other reasons are.
    await page
      .locator(".fence-save")
      .getByText(/Two edges cross or touch/)
      .waitFor();
    expect(await add.isDisabled()).toBe(true);
    await page.locator(".maplibregl-canvas").focus();
    await page.keyboard.press("Control+z");
    await page.getByText(/Two edges cross or touch/).waitFor({ state: "detached" });
    await page.keyboard.press("Control+y");
    await page.getByText(/Two edges cross or touch/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => add.isEnabled());
    // A dot between two corners becomes one; Delete takes it away.
    await drag(page, "middle 0 0", 0.5, 0.15);
    await until(async () => (await page.locator(".handle-point").count()) === 5);
    await page.locator('[data-handle="point 0 1"]').focus();
    await page.keyboard.press("Delete");
    await until(async () => (await page.locator(".handle-point").count()) === 4);
    // To leave needs a confirmation.
    await page.getByRole("link", { name: "Yesterday" }).click();
    await page.getByRole("button", { name: "Keep editing" }).click();
    expect((await addressOf(page)).pathname).toBe("/portal/fleet/fences");
    await page.getByRole("link", { name: "Yesterday" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL("**/portal/yesterday");
  });

  test("everything is done with the keyboard and numbers, in the person's units", async () => {
    const { page } = await site.signedIn();
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    await page.request.put("/portal/api/preferences", { data: { distance: "mi" }, headers });
    await open(page, "new");
    await page.getByText("By numbers", { exact: true }).click();
    await page.getByRole("button", { name: "Add the middle of the map" }).press("Enter");
    await page.getByLabel("Latitude").fill("53.6");
    await page.getByLabel("Latitude").press("Enter");
    await page.getByLabel("Longitude").fill("10.1");
    await page.getByLabel("Longitude").press("Enter");
    await page.getByLabel("Radius (ft)").fill("10");
    await page.getByLabel("Radius (ft)").press("Tab");
    await page.getByText("The size must be from 66 ft to").waitFor();
    await page.getByLabel("Radius (ft)").fill("1000");
    await page.getByLabel("Radius (ft)").press("Tab");
    await page.getByLabel("Name", { exact: true }).fill("Numbered");
    await page.getByRole("button", { name: "Add fence" }).press("Enter");
    await page.getByRole("heading", { name: "Numbered" }).waitFor();
    const stored = (await named(page, "Numbered")) as unknown as { radius_m: number; geometry: object };
    expect(stored.geometry).toEqual({ type: "Point", coordinates: [10.1, 53.6] });
    expect(stored.radius_m).toBeCloseTo(304.8, 1);
    // A handle is moved by the arrows, and the map is not.
    await page.locator('[data-handle="point 0 0"]').focus();
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByText("By numbers", { exact: true }).click();
    await until(async () => Number(await page.getByLabel("Latitude").inputValue()) > 53.6);
    await page.request.put("/portal/api/preferences", { data: {}, headers });
  });

  test("what is typed counts at once, a new name says why the past changes, and an earlier start is a change", async () => {
    const { page } = await site.signedIn();
    await open(page, depot);
    const save = page.getByRole("button", { name: "Save", exact: true });
    const foot = page.locator(".fence-save");
    const radius = page.getByLabel("Radius (m)");
    await foot.getByText("Nothing has changed.").waitFor();
    await radius.fill("2600");
    await until(() => save.isEnabled());
    await radius.fill("");
    await foot.getByText(/The size must be from/).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await radius.press("Tab");
    expect(await radius.inputValue()).toBe("2500");
    await foot.getByText("Nothing has changed.").waitFor();

    // It came with the file, and has always counted.
    await page.getByLabel("For all of the past").check();
    await foot.getByText("It already counts like this for all of the past.").waitFor();
    expect(await page.getByText("All stored crossings").count()).toBe(0);
    await page.getByLabel("From now on").check();
    await page.getByLabel("Name", { exact: true }).fill("Depot Nord");
    await foot.getByText(/^Alerts contain the name of the fence/).waitFor();

    await radius.fill("2600");
    await save.click();
    await page.getByRole("heading", { name: "Depot Nord" }).waitFor();
    await page.getByLabel("From a moment in the past").check();
    await page.getByLabel(/^Day and time/).fill("2099-01-01T08:00");
    await page.getByText("This time is in the future. Choose one in the past.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByLabel("For all of the past").check();
    await page.getByText("All stored crossings").waitFor();
    await foot.getByText(/since the beginning/).waitFor();
    await expectNoBarriers(page, "a fence that counts from an earlier moment on");
    await save.click();
    // The form begins anew with what is stored, its list of versions closed.
    await foot.getByText("Nothing has changed.").waitFor();
    await page.getByText(/^Earlier versions/).click();
    await page.getByText(/^From the beginning/).waitFor();
    await until(async () =>
      (await page.locator(".fence-versions li").allInnerTexts()).every((text) => /2,600 m/.test(text)),
    );
  });

  test("two people edit one fence: the second sees what has changed, and decides", async () => {
    const { page } = await site.signedIn(ownerEmail, { map: "drawn" });
    await open(page, depot);
    await page.getByLabel("Description").fill("Mine");
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    const managed = await (await page.request.get(`/portal/api/fleet/geofences/${depot}`)).json();
    const theirs = { revision: managed.data.revision, fields: { name: "Depot Altona" } };
    const answer = await page.request.put(`/portal/api/fleet/geofences/${depot}`, { data: theirs, headers });
    expect(answer.status()).toBe(200);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Someone else has changed this in the meantime").waitFor();
    await page.getByText(/Changed since you opened it: Name \(now /).waitFor();
    await page.getByRole("button", { name: "Save mine anyway" }).click();
    await page.getByRole("heading", { name: "Depot Altona" }).waitFor();
    expect(await page.getByLabel("Description").inputValue()).toBe("Mine");
  });

  test("a fence is removed, which says what names it, and put back", async () => {
    const { page } = await site.signedIn();
    await open(page, depot);
    await page.getByRole("button", { name: "Remove fence" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("These alert rules refer to it").waitFor();
    await dialog.getByText("Atlas 01").waitFor();
    await expectNoBarriers(page, "removing a fence");
    await dialog.getByRole("button", { name: "Remove fence" }).click();
    await page.getByText("4 fences").waitFor();
    expect(await named(page, "Depot Altona")).toBeUndefined();
    await page.getByText("Removed fences (1)").click();
    await page.getByRole("button", { name: "Put back Depot Altona" }).click();
    await page.getByRole("heading", { name: "Depot Altona" }).waitFor();
    await page.getByText(/^Earlier versions/).click();
    await page.getByText("in force").waitFor();
    expect(await named(page, "Depot Altona")).toBeDefined();
  });

  test("on a phone the handles are large enough for a finger, and nothing is cut off", async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await given().signedIn(ownerEmail, phone);
    await open(page, "new");
    await page.getByText("Corridor", { exact: true }).tap();
    await page.locator(".map-stage").scrollIntoViewIfNeeded();
    for (const [count, x] of [0.3, 0.5, 0.7].entries()) {
      await page.touchscreen.tap(...(await placeOn(page, x, 0.5)));
      await until(async () => (await page.locator(".handle-point").count()) === count + 1);
    }
    await page.getByRole("button", { name: "Finish" }).tap();
    await page.locator(".handle-middle").first().waitFor();
    for (const handle of await page.locator(".handle").all()) {
      const { width = 0, height = 0 } = (await handle.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    expect(await overhang(page)).toBe(0);
    // The button is in reach however long the form is, above the navigation.
    const foot = await page.getByRole("button", { name: "Add fence" }).boundingBox();
    const navigation = await page.getByRole("navigation").first().boundingBox();
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
  });

  test("a sub-account has no fences to edit, and a browser without a map has the numbers", async () => {
    const sam = await given().signedIn(subAccountEmail, { map: "none" });
    expect((await sam.page.request.get("/portal/api/fleet/geofences")).status()).toBe(403);
    await sam.leave();
    const { page } = await given().signedIn(ownerEmail, { map: "none" });
    await page.goto(`/portal/fleet/fences?fence=${depot}`);
    await page.getByText("Fences can still be edited by numbers").waitFor();
    await page.getByText("By numbers", { exact: true }).click();
    expect(await page.getByLabel("Latitude").inputValue()).toBe("53.55");
  });
}
