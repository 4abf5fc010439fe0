import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { dayMs } from "../../../src/domain/time/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { goTo, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { patienceMs } from "../../support/patience.ts";
import { portalFleet } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const rowOf = (page: Page, type: string) => page.locator(`tr[data-type=${type}]`);

/** Waits until the row says it. */
function says(page: Page, type: string, text: string) {
  return rowOf(page, type).getByText(text, { exact: true }).first().waitFor();
}

async function change(page: Page, type: string): Promise<void> {
  await rowOf(page, type)
    .getByRole("button", { name: /^(Change|Switch on)/ })
    .click();
  await page.locator("dialog").waitFor();
}

async function setLimit(page: Page, limit: string): Promise<void> {
  await change(page, "speeding");
  await page.getByLabel("Raise this alert").check();
  await page.getByLabel("Speed limit (km/h)").fill(limit);
}

/** A server of its own: rules change the alerts that other tests look at. The first vehicles are cold. */
async function coldSite(given: () => PortalSite): Promise<PortalSite> {
  const site = await given().beside();
  const vehicles = portalFleet(site.now).filter(({ type }) => type === "device");
  await site.load(vehicles.slice(0, 3).map((vehicle) => ({ ...vehicle, tags: ["cold"] })));
  return site;
}

export function testRules(given: () => PortalSite): void {
  let site: PortalSite;
  beforeAll(async () => {
    site = await coldSite(given);
  }, patienceMs);
  afterAll(() => site.close());

  test("the owner sets rules for all, for a tag and for a vehicle, sees what they concern, and takes one back", async () => {
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/fleet/rules");
    await says(page, "speeding", "Default");
    await setLimit(page, "90");
    await page.getByText(/vehicles recalculated/).waitFor();
    // Not only from now on: the effect reaches back to the start of that day.
    await page.getByLabel("From when").selectOption("day");
    await page.getByLabel("From the start of").fill(new Date(site.now - dayMs).toISOString().slice(0, 10));
    await page.getByText(/vehicles recalculated.* since .*00:00/).waitFor();
    await expectNoBarriers(page, "a rule that is changed");
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "speeding", "Above 90 km/h");
    await says(page, "speeding", "All vehicles");

    await page.getByLabel("Rules for").selectOption({ label: "cold" });
    await page.getByText(/apply to 3 vehicles/).waitFor();
    await says(page, "speeding", "All vehicles");
    await setLimit(page, "70");
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "speeding", "This tag");

    await page.getByLabel("Rules for").selectOption({ label: "Boreas 01" });
    await says(page, "speeding", "Above 70 km/h");
    await says(page, "speeding", "Tag cold");
    await setLimit(page, "50");
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "speeding", "This vehicle");
    await change(page, "speeding");
    await page.getByRole("button", { name: "Reset to: Tag cold" }).click();
    await page.getByText("Then this applies (Tag cold): Above 70 km/h.", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "speeding", "Tag cold");

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
  });

  test("a rule holds at some times, reads well, and takes the place of what vehicles have of their own", async () => {
    const site = await coldSite(given);
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/fleet/rules?for=tag%3Acold");
    await says(page, "unauthorised_movement", "Off");
    await change(page, "unauthorised_movement");
    await page.getByLabel("Raise this alert").check();
    for (const day of ["Sat", "Sun"]) await page.getByRole("button", { name: day, exact: true }).click();
    await page.getByRole("button", { name: "Add times" }).click();
    await page.getByLabel("Until (next day)").last().fill("00:00");
    await page.getByLabel("From", { exact: true }).last().fill("00:00");
    await page.getByRole("button", { name: "Add a date" }).click();
    await page.getByLabel("Date, all day").fill("2026-12-25");
    await page.getByText("When it applies: Mon–Fri 20:00–06:00; Sat, Sun all day; 25 Dec 2026").waitFor();
    await expectNoBarriers(page, "the times of a rule");
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "unauthorised_movement", "On, Mon–Fri 20:00–06:00; Sat, Sun all day; 25 Dec 2026");

    await page.getByLabel("Rules for").selectOption({ label: "Boreas 01" });
    await says(page, "unauthorised_movement", "Tag cold");
    await change(page, "unauthorised_movement");
    await page.getByRole("button", { name: "Remove times 1" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "unauthorised_movement", "On, Sat, Sun all day; 25 Dec 2026");
    await page.getByLabel("Rules for").selectOption("tag:cold");
    await says(page, "unauthorised_movement", "In force for 2 of 3 vehicles; 1 has its own");
    // The dialog says so before anything is saved.
    await change(page, "unauthorised_movement");
    await page.getByLabel("Raise this alert").uncheck();
    await page.locator("dialog").getByText("In force for 2 of 3 vehicles; 1 has its own").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
    await rowOf(page, "unauthorised_movement").getByRole("button", { name: "Replace their own rules" }).click();
    await page.getByRole("heading", { name: "Replace the own rules of 1 vehicle: Unauthorised movement?" }).waitFor();
    await page.locator("dialog").getByRole("button", { name: "Replace their own rules" }).click();
    await page.getByText(/In force for/).waitFor({ state: "detached" });
    await page.getByLabel("Rules for").selectOption({ label: "Boreas 01" });
    await says(page, "unauthorised_movement", "Tag cold");

    // A fence that no rule watches: two clicks.
    await goTo(page, "/fleet/fences");
    await page.getByRole("button", { name: /A24 corridor/ }).click();
    await page.getByText("No alert rule watches this fence.", { exact: false }).waitFor();
    await page.getByRole("link", { name: "Alert when a vehicle leaves" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "geofence_exit", "A24 corridor");
    await site.close();
  });

  test("of two people who change the same rules, the second sees it, and nothing of either is lost", async () => {
    const [one, other] = [
      await site.signedIn(undefined, { map: "none" }),
      await site.signedIn(undefined, { map: "none" }),
    ];
    await Promise.all([one, other].map(({ page }) => page.goto("/portal/fleet/rules?for=tag%3Acold")));
    await setLimit(other.page, "60");
    await change(one.page, "idling");
    await one.page.getByLabel("Raise this alert").uncheck();
    await one.page.getByRole("button", { name: "Save" }).click();
    await says(one.page, "idling", "This tag");
    await other.page.getByRole("button", { name: "Save" }).click();
    await other.page.getByText(/Changed since you opened it: Idling/).waitFor();
    await other.page.getByRole("button", { name: "Save mine anyway" }).click();
    await says(other.page, "speeding", "Above 60 km/h");
    await says(other.page, "idling", "Off");
  });

  test("limits are entered in the person's units, and what is missing is said", async () => {
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/account");
    await page.getByLabel("Distance").first().selectOption({ label: "Miles, mph" });
    await goTo(page, "/fleet/rules?for=tag%3Acold");
    await change(page, "speeding");
    await page.getByLabel("Raise this alert").check();
    await page.getByLabel("Speed limit (mph)").fill("55");
    await page.getByRole("button", { name: "Save" }).click();
    await says(page, "speeding", "Above 55 mph");
    await change(page, "speeding");
    expect(await page.getByLabel("Speed limit (mph)").inputValue()).toBe("55");
    await page.getByRole("button", { name: "Cancel" }).click();
    await change(page, "geofence_exit");
    await page.getByLabel("Raise this alert").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Something is missing", { exact: false }).waitFor();
  });

  test("only the day is moved: the rule holds from then on, and where that changes nothing it is said", async () => {
    const site = await coldSite(given);
    const { page, leave } = await site.signedIn(undefined, { map: "none" });
    const dayBefore = (days: number) => new Date(site.now - days * dayMs).toISOString().slice(0, 10);
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save" });
    const moveTo = async (day: string, type = "speeding") => {
      await change(page, type);
      await page.getByLabel("From when").selectOption("day");
      await page.getByLabel("From the start of").fill(day);
    };
    await page.goto("/portal/fleet/rules");
    // Nothing is set here: the day alone says nothing.
    await moveTo(dayBefore(1), "device_offline");
    await dialog.getByRole("heading", { name: "Tracker offline, all vehicles" }).waitFor();
    await save.click();
    await dialog.getByText("Nothing is set here yet", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await setLimit(page, "90");
    await save.click();
    await says(page, "speeding", "All vehicles");

    // A day to come is refused in the field, in words, and not sent.
    await moveTo(dayBefore(-2));
    await dialog.getByText("Choose today or a day before.").waitFor();
    await save.click();
    expect(await dialog.getByText("minutes in the future").count()).toBe(0);
    await page.getByLabel("From the start of").fill(dayBefore(2));
    await dialog.getByText(/vehicles recalculated.* since .*00:00/).waitFor();
    await save.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByLabel("Rules for").selectOption({ label: "cold" });
    await says(page, "speeding", "Above 90 km/h");
    await change(page, "speeding");
    await dialog.getByRole("heading", { name: "Speeding, tag cold" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Rules for").selectOption({ label: "Boreas 01" });
    await says(page, "speeding", "Above 90 km/h");
    await change(page, "speeding");
    await dialog.getByRole("heading", { name: "Speeding, Boreas 01" }).waitFor();
    await leave();
    await site.close();
  });
}
