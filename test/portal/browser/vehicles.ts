import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { saveTrackerFaults } from "../../../src/store/fleet/tracker-faults.ts";
import { saveUnknownDevices } from "../../../src/store/fleet/unknown-devices.ts";
import { openDatabase } from "../../../src/store/open.ts";
import { sql } from "../../../src/store/sql.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { expectFocus, goTo, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { device, uuid } from "../../support/fleet.ts";
import { patienceMs, until } from "../../support/patience.ts";
import { subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const phone = { width: 390, height: 844 };
const stranger = "860000000000123";

/** Each test changes other vehicles, of a fleet that no other file looks at. */
export function testVehicles(given: () => PortalSite): void {
  let site: PortalSite;
  beforeAll(async () => {
    site = await given().beside();
  }, patienceMs);
  afterAll(async () => {
    expect(site.faults()).toEqual([]);
    await site.close();
  });

  const open = async (path = "/fleet/vehicles", options = {}) => {
    const visitor = await site.signedIn(undefined, { map: "none", ...options });
    await visitor.page.goto(`/portal${path}`);
    await visitor.page.locator(".vehicle-table").waitFor();
    return visitor;
  };
  const row = (page: Page, name: string) => page.locator(".vehicle-table tbody tr").filter({ hasText: name });
  const edit = async (page: Page, name: string) => {
    await page.getByRole("button", { name: `Edit ${name}` }).click();
    await page.getByRole("dialog").waitFor();
  };

  test("the owner finds a vehicle among all, by its name, status and tag, and the address remembers it", async () => {
    const { page } = await open();
    const shown = () => page.locator(".vehicle-title").allTextContents();
    expect((await shown()).length).toBe(24);
    await page.getByLabel("Search by name, plate or IMEI").fill("nl 103");
    await page.getByText("1 of 24 vehicles").waitFor();
    expect(await shown()).toEqual(["Ceres 01"]);
    expect(await row(page, "Ceres 01").textContent()).toContain("Sam Okafor");
    await page.getByLabel("Status").selectOption("Blocked");
    await page.getByText("No vehicle matches").waitFor();
    await page.reload();
    await page.getByText("No vehicle matches").waitFor();
  });

  test("a tracker that was refused is offered, added with a few words, and on the map's list for whom it is shown to", async () => {
    const database = await openDatabase({ engine: "sqlite", directory: site.directory }, { create: false });
    const now = Date.now();
    const seen = { protocol: null, imei: stranger, firstSeenAt: now - 60_000, lastSeenAt: now - 180_000, count: 3 };
    await database.transaction((tx) => saveUnknownDevices(tx, 1, [seen]));
    await database.close();
    const { page } = await open();
    await page.getByText(new RegExp(`${stranger} reported \\d min ago and is not in your fleet`)).waitFor();
    await expectNoBarriers(page, "vehicles");
    await page.getByRole("button", { name: `Add a vehicle with the IMEI ${stranger}` }).click();
    expect(await page.getByLabel("IMEI of the tracker").inputValue()).toBe(stranger);
    await page.getByLabel("Name", { exact: true }).fill("Gamma 01");
    await page.getByLabel("Tags").fill("new");
    await page.getByLabel("Tags").press("Enter");
    await page.getByRole("checkbox", { name: /Sam Okafor/ }).check();
    await page.getByText("Begins 1 assignment; 1 sub-account sees the change.").waitFor();
    await expectNoBarriers(page, "a new vehicle");
    await page.getByRole("button", { name: "Add the vehicle" }).click();
    await row(page, "Gamma 01").waitFor();
    expect(await row(page, "Gamma 01").textContent()).toContain("none yet");
    // It is said where everybody sees it, and what comes next is one click away.
    await page.getByText("Gamma 01 is added.").waitFor();
    await expectNoBarriers(page, "a vehicle that was added");
    expect(await page.getByText(`${stranger} reported`).count()).toBe(0);
    await edit(page, "Gamma 01");
    // No fleet file ever had it.
    expect(await page.getByText(/fleet file/).count()).toBe(0);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "What to set in its tracker" }).click();
    await expectFocus(page, /^Lines to paste/);
    expect(await page.getByLabel("Vehicle").locator("option:checked").textContent()).toBe("Gamma 01");
    const sam = await site.signedIn(subAccountEmail, { map: "none" });
    const { data } = await (await sam.page.request.get("/portal/api/data/devices")).json();
    expect(data.map((each: { name: string }) => each.name)).toContain("Gamma 01");
    // The page says so to others than the owner, and shows nothing of it.
    expect((await sam.page.request.get("/portal/api/fleet/devices")).status()).toBe(403);
  });

  test("a tracker that called by itself is offered with its protocol, and the form knows what it calls itself", async () => {
    const database = await openDatabase({ engine: "sqlite", directory: site.directory }, { create: false });
    const now = Date.now();
    const seen = { protocol: "jt808", imei: "013812345678", firstSeenAt: now, lastSeenAt: now, count: 3 } as const;
    await database.transaction((tx) => saveUnknownDevices(tx, 1, [seen]));
    await database.close();
    const { page } = await open();
    await page.getByText(/^013812345678 \(JT\/T 808\) reported/).waitFor();
    await page.getByRole("button", { name: "Add a vehicle with the tracker id 013812345678" }).click();
    expect(await page.getByLabel("IMEI of the tracker").inputValue()).toBe("");
    expect(await page.getByLabel("What the tracker calls itself").inputValue()).toBe("013812345678");
    expect(await page.getByLabel("Protocol of the tracker").locator("option:checked").textContent()).toBe("JT/T 808");
    await expectNoBarriers(page, "a new vehicle of a tracker that called");
    // Another vehicle's IMEI would take its tracker.
    await page.getByLabel("Name", { exact: true }).fill("Delta 01");
    await page.getByLabel("IMEI of the tracker").fill("356307042990001");
    await page.getByLabel("What the tracker calls itself").fill(stranger);
    await page.getByRole("button", { name: "Add the vehicle" }).click();
    await page.getByText("Another vehicle's tracker has this already, as its id or its IMEI.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  test("a tracker whose clock is wrong is shown on its vehicle's page and in the lists, and set with two clicks", async () => {
    const database = await openDatabase({ engine: "sqlite", directory: site.directory }, { create: false });
    const rows = await database.all<{ id: string; device: number; seenAt: number }>(sql`
      select d.id, d.device, p.last_seen_at as "seenAt" from devices d join latest_positions p on p.device = d.device
      where d.account_id = 1 and p.account_id = 1 and d.name in ('Boreas 03', 'Ceres 01') order by d.name`);
    const faults = rows.map(({ device, seenAt }) => ({ accountId: 1, device, clockAheadS: 10_800, seenAt }));
    await saveTrackerFaults(database, [...faults, ...faults.slice(1).map((one) => ({ ...one, clockAheadS: null }))]);
    await database.close();
    const [boreas, ceres] = rows.map(({ id }) => id);
    const { page, leave } = await open();
    await row(page, "Boreas 03").getByText("Its tracker's clock is 3 h 00 min fast.").waitFor();
    await row(page, "Ceres 01").getByText("Two trackers use its IMEI.").waitFor();
    // On the page of the morning it stands first among those that did not report, with the reason.
    await page.goto("/portal/yesterday");
    const silent = page.getByRole("region", { name: /^Did not report/ }).locator("li");
    await silent.first().getByText("Its tracker's clock is 3 h 00 min fast.").waitFor();
    await expectNoBarriers(page, "the morning with a wrong clock");
    await page.goto(`/portal/map/${boreas}`);
    await page.getByText("none of them is believed").waitFor();
    await expectNoBarriers(page, "a vehicle with a wrong clock");
    expect(await overhang(page)).toBe(0);
    await page.getByRole("link", { name: "set it to +03:00" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await page.getByLabel("Clock of the tracker").inputValue()).toBe("+03:00");
    await expectNoBarriers(page, "the form of its clock");
    await page.getByLabel("Clock of the tracker").fill("3 hours");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a time zone such as Europe/Berlin, or +08:00, or -360s.").waitFor();
    await page.getByLabel("Clock of the tracker").fill("+03:00");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { data } = await (await page.request.get(`/portal/api/data/devices/${boreas}`)).json();
    expect(data.tracker_clock).toBe("+03:00");
    await page.goto(`/portal/map/${boreas}`);
    await page.getByRole("heading", { level: 1, name: "Boreas 03" }).waitFor();
    expect(await page.getByText("Its tracker's clock").count()).toBe(0);
    // A sub-account sees it of its own vehicles, and cannot set it.
    const sam = await site.signedIn(subAccountEmail, { map: "none" });
    await sam.page.goto(`/portal/map/${ceres}`);
    await sam.page.getByText("Only the owner can set it.").waitFor();
    expect(await sam.page.getByRole("link", { name: /set it to/ }).count()).toBe(0);
    await Promise.all([leave(), sam.leave()]);
  });

  test("what is wrong with a field is said beside it, and Escape loses nothing that was typed", async () => {
    const { page } = await open();
    await edit(page, "Boreas 02");
    const imei = page.getByLabel("IMEI of the tracker");
    await imei.fill("12");
    await imei.blur();
    await page.getByText("Enter 14 to 16 digits.").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await imei.fill(device(101).imei);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Another vehicle has this IMEI already.").waitFor();
    await page.getByText("its history stays with the vehicle").waitFor();
    await imei.fill("35 6307-042999001");
    await page.getByLabel("Fuel tank (l)").fill("80,5");
    await page.getByText(/1 vehicle recalculated/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectFocus(page, /^Edit$/);
    const stored = await (await page.request.get(`/portal/api/data/devices/${uuid(108)}`)).json();
    expect([stored.data.imei, stored.data.name]).toEqual(["356307042999001", "Boreas 02"]);
  });

  test("two people at one vehicle: the second sees what the first changed, and decides", async () => {
    const [first, second] = [await open(), await open()];
    for (const { page } of [first, second]) await edit(page, "Echo 03");
    await first.page.getByLabel("Name", { exact: true }).fill("Echo 3 A");
    await first.page.getByRole("button", { name: "Save" }).click();
    await row(first.page, "Echo 3 A").waitFor();
    await second.page.getByLabel("Plate", { exact: true }).fill("E 3");
    await second.page.getByRole("button", { name: "Save" }).click();
    await second.page.getByText("Changed since you opened it: Name (now Echo 3 A).").waitFor();
    await expectNoBarriers(second.page, "a conflict");
    await second.page.getByRole("button", { name: "Save mine anyway" }).click();
    await row(second.page, "Echo 3 A").filter({ hasText: "E 3" }).waitFor();
  });

  test("several vehicles get a tag, a status and a sub-account at once", async () => {
    const { page } = await open();
    await page.getByLabel("Search by name, plate or IMEI").fill("delta");
    await page.getByText("4 of 24 vehicles").or(page.getByText("4 of 25 vehicles")).waitFor();
    await page.getByRole("checkbox", { name: "Select all 4" }).check();
    await page.getByRole("button", { name: "Tags…" }).click();
    await page.getByLabel("Tags", { exact: true }).fill("west");
    await page.getByLabel("Tags", { exact: true }).press("Enter");
    await page.getByText("1 sub-account sees the change.").waitFor();
    await expectNoBarriers(page, "tags of several");
    await page.getByRole("button", { name: "Save" }).click();
    await until(async () => (await page.locator(".vehicle-table .tag").allTextContents()).length === 4);
    await page.getByRole("button", { name: "Status…" }).click();
    await page.getByRole("radio", { name: /Inactive/ }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await until(async () => (await page.locator(".vehicle-inactive").count()) === 4);
    await page.getByRole("button", { name: "Sub-accounts…" }).click();
    await page.getByRole("checkbox", { name: /Mira Lund/ }).check();
    await page.getByText(/Begins [34] assignments/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await until(async () => (await page.getByRole("cell", { name: "Mira Lund" }).count()) === 4);
    await goTo(page, "/fleet/vehicles?tag=west");
    await page.getByText("4 of 2", { exact: false }).first().waitFor();
  });

  test("a vehicle is removed and put back with its history, or erased by its name", async () => {
    const { page } = await open("/fleet/vehicles?search=fjord");
    const remove = async (name: string) => {
      await edit(page, name);
      await page.getByRole("button", { name: "Remove…" }).click();
      await page.getByText(/^Stored: 8 reports/).waitFor();
    };
    const devices = async () => {
      const { data } = await (await page.request.get("/portal/api/data/devices?search=fjord")).json();
      return data.map(({ name }: { name: string }) => name).sort();
    };
    await remove("Fjord 02");
    await expectNoBarriers(page, "removing a vehicle");
    await page.getByRole("button", { name: "Remove and keep the history" }).click();
    await page.getByText("3 of 2", { exact: false }).waitFor();
    await expectFocus(page, /^Vehicles$/);
    expect(await devices()).toEqual(["Fjord 01", "Fjord 03", "Fjord 04"]);
    await page.getByText("Removed vehicles (1)").click();
    await expectNoBarriers(page, "removed vehicles");
    await page.getByText("who sees one must then be chosen again").waitFor();
    await page.getByRole("button", { name: "Put back Fjord 02" }).click();
    await row(page, "Fjord 02").waitFor();
    await page.getByText("Who sees it must be chosen again.").waitFor();
    await expectFocus(page, /Fjord 02 is back\./);
    await page.getByText(/Removed vehicles/).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Choose who sees it" }).click();
    await page.getByRole("dialog").getByText("Sub-accounts that see it").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await devices()).toEqual(["Fjord 01", "Fjord 02", "Fjord 03", "Fjord 04"]);

    await remove("Fjord 03");
    await page.getByRole("radio", { name: /Erase for good/ }).check();
    const erase = page.getByRole("button", { name: "Erase for good" });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel(/type its name/).fill("fjord 3");
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel(/type its name/).fill("fjord 03");
    await expectNoBarriers(page, "erasing a vehicle");
    await erase.click();
    await row(page, "Fjord 03").waitFor({ state: "detached" });
    expect(await devices()).toEqual(["Fjord 01", "Fjord 02", "Fjord 04"]);
    // The page says so until it is done. Of those removed and kept there is none.
    expect(await page.getByText(/Removed vehicles/).count()).toBe(0);
    await page.getByText(/is being erased\. This/).waitFor({ state: "detached" });
  });

  test("to put a vehicle back too late is refused in the person's language: its IMEI is taken", async () => {
    const { page } = await open("/fleet/vehicles", { locale: "de-DE" });
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    const post = async (path: string, data: object) => {
      const answer = await page.request.post(`/portal/api/fleet${path}`, { data, headers });
      expect(answer.ok()).toBe(true);
      return (await answer.json()).data;
    };
    const imei = "860000000000301";
    const { device_id, revision } = await post("/devices", { fields: { name: "Skua 1", imei } });
    await post(`/devices/${device_id}/remove`, { revision, history: "keep" });
    await page.reload();
    await page.getByText(/^Entfernte Fahrzeuge/).click();
    const putBack = page.getByRole("button", { name: "Skua 1" }).first();
    await putBack.waitFor();
    await post("/devices", { fields: { name: "Skua 2", imei } });
    await putBack.click();
    await page.getByText(`Ein anderes Fahrzeug hat jetzt die IMEI ${imei}`, { exact: false }).waitFor();
    expect(await page.getByText("Another vehicle has").count()).toBe(0);
  });

  test("an old page removes a vehicle as it is stored now, once it has said what changed", async () => {
    const [first, second] = [await open(), await open()];
    await edit(first.page, "Delta 04");
    await edit(second.page, "Delta 04");
    await first.page.getByLabel("Name", { exact: true }).fill("Delta 4 A");
    await first.page.getByLabel("Tags").fill("sold");
    await first.page.getByLabel("Tags").press("Enter");
    await first.page.getByRole("button", { name: "Save" }).click();
    await row(first.page, "Delta 4 A").waitFor();
    const { page } = second;
    await page.getByRole("button", { name: "Remove…" }).click();
    await page.getByText(/^Stored: 8 reports/).waitFor();
    const said = await page.getByText(/Changed since you opened it/).innerText();
    expect(said).toContain("Name (now Delta 4 A)");
    expect(said).toMatch(/Tags \(now .*sold\)/);
    await page.getByRole("button", { name: "Remove anyway" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await until(async () => (await row(page, "Delta 4 A").count()) + (await row(page, "Delta 04").count()) === 0);
  });

  test("many vehicles are added from a spreadsheet, once every row is right", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Add from a spreadsheet" }).click();
    const rows = page.getByLabel("Rows");
    await rows.fill("IMEI,Name\n860000000000201,Heron 1\n86,Heron 2");
    await page.getByText("Line 3: the IMEI must have 14 to 16 digits.").waitFor();
    await expectNoBarriers(page, "a spreadsheet");
    // A wide table scrolls by itself: the buttons below it stay in sight.
    await rows.fill(
      `IMEI,Name,Tags,VIN,Make,Model,Year,Colour\n860000000000201,Heron 1,${"w".repeat(60)},WVW,Ford,T,2021,red`,
    );
    await page.getByText("Not read: Colour").waitFor();
    const dialog = page.locator("dialog[open]");
    expect(await dialog.evaluate((found) => found.scrollWidth - found.clientWidth)).toBe(0);
    await rows.fill("IMEI,Name\n860000000000201,Heron 1\n860000000000202,Heron 2");
    await page.getByText("2 vehicles can be added.").waitFor();
    await page.getByRole("button", { name: "Add 2" }).click();
    await row(page, "Heron 2").waitFor();
    await page.getByLabel("Search by name, plate or IMEI").fill("heron");
    await page.getByText(/^2 of/).waitFor();
    expect(await page.locator(".vehicle-title").allTextContents()).toEqual(["Heron 1", "Heron 2"]);
  });

  test("all of it fits on a phone", async () => {
    const { page } = await open("/fleet/vehicles", { viewport: phone });
    expect(await overhang(page)).toBe(0);
    await page.getByRole("checkbox", { name: "Select Atlas 01" }).check();
    await page.getByRole("button", { name: "Status…" }).waitFor();
    expect(await overhang(page)).toBe(0);
    await edit(page, "Atlas 01");
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "a vehicle on a phone");
  });
}
