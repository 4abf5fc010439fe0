import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { overhang, pictures } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { patienceMs } from "../../support/patience.ts";
import { ownerEmail, portalPassword, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const back = "This is what you entered before. It is not saved yet.";

/** The session ends, which the page hears of with the next request, here the one that saves or previews. */
async function loseSession(page: Page, notice: () => Promise<unknown>): Promise<void> {
  await page.context().clearCookies();
  await notice();
  await page.getByText("You were signed out.").waitFor();
}

async function signIn(page: Page, email = ownerEmail): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(portalPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Views" }).waitFor();
}

/** What is on the screen, if somebody wants to look at it. */
async function look(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
}

const keptKeys = (page: Page) =>
  page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.startsWith('odograph-form'))");

export function testKeptForms(given: () => PortalSite): void {
  let site: PortalSite;
  let mailServer: Awaited<ReturnType<typeof startMailServer>>;
  beforeAll(async () => {
    mailServer = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "fleet@nordlicht.test"];
    site = await given().beside(...mail, "--public-url", "https://fleet.example");
  }, patienceMs);
  afterAll(async () => {
    expect(site.faults()).toEqual([]);
    await site.close();
    await mailServer.close();
  });

  const open = async (path: string, options = {}) => {
    const visitor = await site.signedIn(undefined, { map: "none", ...options });
    await visitor.page.goto(`/portal${path}`);
    return visitor;
  };
  const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();

  test("a vehicle's form comes back after the session has ended and the page was loaded again, and goes once it is saved", async () => {
    const { page } = await open("/fleet/vehicles");
    await page.getByRole("button", { name: "Edit Echo 01" }).click();
    await page.getByLabel("Plate", { exact: true }).fill("E 111");
    await page.getByLabel("VIN", { exact: true }).fill("WDB9066331S000001");
    await loseSession(page, () => save(page));
    await page.reload();
    await signIn(page);
    await page.getByRole("dialog").getByText(back).waitFor();
    expect(await page.getByLabel("Plate", { exact: true }).inputValue()).toBe("E 111");
    expect(await page.getByLabel("VIN", { exact: true }).inputValue()).toBe("WDB9066331S000001");
    await expectNoBarriers(page, "a form that is back");
    await look(page, "kept-vehicle");
    await save(page);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator(".vehicle-table tr").filter({ hasText: "E 111" }).waitFor();
    expect(await keptKeys(page)).toEqual([]);
    // Cancelling drops it as well.
    await page.getByRole("button", { name: "Edit Echo 01" }).click();
    await page.getByLabel("Plate", { exact: true }).fill("not wanted");
    expect(await keptKeys(page)).not.toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await keptKeys(page)).toEqual([]);
    await page.getByRole("button", { name: "Edit Echo 01" }).click();
    expect(await page.getByLabel("Plate", { exact: true }).inputValue()).toBe("E 111");
    expect(await page.getByText(back).count()).toBe(0);
  });

  test("a rule comes back with its times, those who are mailed, and the rules it began with", async () => {
    const { page } = await open("/fleet/rules?for=all");
    await page
      .locator("tr[data-type=idling]")
      .getByRole("button", { name: /^Change/ })
      .click();
    const limit = page.getByRole("spinbutton").first();
    await limit.fill("17");
    await page.getByRole("button", { name: "Add a rule", exact: true }).click();
    await page.reload();
    await page.getByRole("dialog").getByText(back).waitFor();
    expect(await limit.inputValue()).toBe("17");
    expect(await page.getByLabel("Raise this alert").count()).toBe(2);
    // Each can still be taken away by itself.
    await page.getByRole("button", { name: "Remove this rule" }).last().click();
    expect(await page.getByLabel("Raise this alert").count()).toBe(1);
    await loseSession(page, () => save(page));
    await signIn(page);
    expect(await limit.inputValue()).toBe("17");
    await save(page);
    await page.locator("tr[data-type=idling]").getByText(/17/).first().waitFor();
    expect(await keptKeys(page)).toEqual([]);
  });

  test("a fence comes back with its shape, and is saved as it was drawn", async () => {
    const { page } = await open("/fleet/fences?fence=new", { map: "undrawn" });
    await page.getByLabel("Name", { exact: true }).fill("Harbour");
    await page.locator(".fence-numbers summary").click();
    await page.getByRole("button", { name: "Add the middle of the map" }).click();
    await page.getByLabel("Latitude").fill("53.54");
    await page.getByLabel("Longitude").fill("9.98");
    await page.getByLabel("Longitude").press("Enter");
    await page.getByLabel("Radius (m)").fill("777");
    await page.getByLabel("Radius (m)").press("Enter");
    await loseSession(page, () => page.getByRole("button", { name: "Add fence" }).click());
    await page.reload();
    await signIn(page);
    await page.getByText(back).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Harbour");
    expect(await page.getByLabel("Radius (m)").inputValue()).toBe("777");
    await page.getByRole("button", { name: "Add fence" }).click();
    await page.getByRole("heading", { name: "Harbour" }).waitFor();
    expect(await page.getByText(back).count()).toBe(0);
    expect(await keptKeys(page)).toEqual([]);
  });

  test("people, drivers, notifications and planned reports come back, and no password does", async () => {
    const { page } = await open("/fleet/people");
    await page.getByRole("button", { name: "Manage Olga Brandt" }).click();
    await page.getByLabel("E-mail").fill("olga.brandt@nordlicht.test");
    await page.getByLabel("Your password").fill("a secret of Olga's");
    expect(JSON.stringify(await page.evaluate("({ ...sessionStorage })"))).not.toContain("a secret");
    await page.reload();
    await page.getByRole("dialog").getByText(back).waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe("olga.brandt@nordlicht.test");
    expect(await page.getByLabel("Your password").inputValue()).toBe("");
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ina Vogt");
    await page.getByLabel("E-mail").fill("ina@nordlicht.test");
    await page.getByRole("checkbox", { name: /Atlas 01/ }).check();
    await loseSession(page, () => page.getByRole("button", { name: "Make the invitation" }).click());
    await signIn(page);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ina Vogt");
    expect(await page.getByRole("checkbox", { name: /Atlas 01/ }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Make the invitation" }).click();
    await page.getByTestId("made-link").waitFor();
    // The link is shown once, and kept nowhere.
    expect(await keptKeys(page)).toEqual([]);

    await page.goto("/portal/notifications");
    await page.getByRole("button", { name: "Add a notification" }).click();
    await page.getByLabel("Which alerts").selectOption("some");
    await page.getByRole("checkbox", { name: /^Speeding/ }).check();
    await page.getByLabel("No mails in certain hours").check();
    await page.reload();
    await page.getByRole("dialog").getByText(back).waitFor();
    expect(await page.getByRole("checkbox", { name: /^Speeding/ }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.goto("/portal/reports/mileage?period=last-month&tag=north");
    await page.getByRole("button", { name: "Send regularly" }).click();
    await page.getByLabel("Name", { exact: true }).fill("For the office");
    await loseSession(page, () => save(page));
    await signIn(page);
    await page.getByRole("dialog").getByText(back).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("For the office");
    await save(page);
    await page.locator(".person-card").filter({ hasText: "For the office" }).waitFor();
    expect(await keptKeys(page)).toEqual([]);
  });

  test("what was typed is gone when somebody else signs in, when one signs out, and after a day", async () => {
    const { page } = await open("/fleet/vehicles");
    const type = async () => {
      await page.getByRole("button", { name: "Edit Echo 02" }).click();
      await page.getByLabel("Plate", { exact: true }).fill("E 222");
    };
    await type();
    await loseSession(page, () => save(page));
    expect((await keptKeys(page)).length).toBe(1);
    await signIn(page, subAccountEmail);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForFunction("!Object.keys(sessionStorage).some((key) => key.startsWith('odograph-form'))");

    await page.context().clearCookies();
    await page.goto("/portal/fleet/vehicles");
    await signIn(page);
    await type();
    await loseSession(page, () => save(page));
    await page.evaluate(`for (const key of Object.keys(sessionStorage)) {
      const kept = JSON.parse(sessionStorage.getItem(key));
      if (kept.at) sessionStorage.setItem(key, JSON.stringify({ ...kept, at: kept.at - 86_400_001 }));
    }`);
    await signIn(page);
    await page.getByRole("dialog").waitFor();
    expect(await page.getByLabel("Plate", { exact: true }).inputValue()).not.toBe("E 222");
    expect(await page.getByText(back).count()).toBe(0);

    await page.getByLabel("Plate", { exact: true }).fill("E 222");
    await page.reload();
    await page.getByRole("dialog").getByText(back).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  test("two people change the same fields: both values are beside each other, and either can stay", async () => {
    const first = await open("/fleet/vehicles");
    const second = await open("/fleet/vehicles");
    for (const { page } of [first, second]) await page.getByRole("button", { name: "Edit Echo 03" }).click();
    const fill = async (page: Page, name: string, plate: string) => {
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByLabel("Plate", { exact: true }).fill(plate);
    };
    await fill(first.page, "Echo three", "THEIRS 3");
    await first.page.getByLabel("VIN", { exact: true }).fill("WDB9066331S000003");
    await save(first.page);
    await first.page.getByRole("dialog").waitFor({ state: "detached" });
    const { page } = second;
    await fill(page, "Echo Three of mine", "MINE 3");
    // The form is back with what the record was when it began, so that the conflict is still one.
    await page.reload();
    await page.getByRole("dialog").getByText(back).waitFor();
    await save(page);
    await page.getByText("Someone else has changed this in the meantime").waitFor();
    await page.getByText("Changed since you opened it: VIN (now WDB9066331S000003).").waitFor();
    const part = (label: string) => page.getByRole("group", { name: label, exact: true });
    expect(await part("Name").innerText()).toContain("Echo Three of mine");
    expect(await part("Name").innerText()).toContain("Echo three");
    await part("Plate")
      .getByRole("radio", { name: /Theirs/ })
      .check();
    await expectNoBarriers(page, "a conflict field by field");
    await look(page, "conflict");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await overhang(page)).toBe(0);
    await look(page, "conflict-phone-dark");
    await page.getByRole("button", { name: "Save as chosen" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { data } = await (await page.request.get("/portal/api/fleet/devices")).json();
    const stored = data.find(({ name }: { name: string }) => name === "Echo Three of mine");
    expect([stored?.plate, stored?.vin]).toEqual(["THEIRS 3", "WDB9066331S000003"]);
  });

  test("a rule and a fence that two people change are compared in words", async () => {
    const [first, second] = [await open("/fleet/rules?for=all"), await open("/fleet/rules?for=all")];
    for (const [{ page }, limit] of [
      [first, "81"],
      [second, "92"],
    ] as const) {
      await page
        .locator("tr[data-type=speeding]")
        .getByRole("button", { name: /^Change/ })
        .click();
      await page.getByLabel("Raise this alert").check();
      await page.getByLabel("Speed limit (km/h)").fill(limit);
    }
    await save(first.page);
    await first.page.locator("tr[data-type=speeding]").getByText("Above 81 km/h").waitFor();
    const { page } = second;
    await save(page);
    const rule = page.getByRole("group", { name: "Speeding", exact: true });
    await rule.getByText("Above 92 km/h").waitFor();
    await rule.getByText("Above 81 km/h").waitFor();
    await look(page, "conflict-rule");
    await rule.getByRole("radio", { name: /Theirs/ }).check();
    await page.getByRole("button", { name: "Save as chosen" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator("tr[data-type=speeding]").getByText("Above 81 km/h").waitFor();

    const { data: fences } = await (await page.request.get("/portal/api/fleet/geofences")).json();
    const { geofence_id: id } = fences.find(({ shape }: { shape: string }) => shape === "circle");
    await page.goto(`/portal/fleet/fences?fence=${id}`);
    await page.getByLabel("Radius (m)").fill("1111");
    await page.getByLabel("Radius (m)").press("Enter");
    await page.getByLabel("Description").fill("Mine");
    const { data: fence } = await (await page.request.get(`/portal/api/fleet/geofences/${id}`)).json();
    const { shape, geometry } = fence;
    const theirs = { shape, geometry, radius_m: 2222, width_m: null, description: "Theirs" };
    const headers = { "X-Odograph-Portal": "1", Origin: site.origin };
    const body = { revision: fence.revision, fields: theirs };
    expect((await page.request.put(`/portal/api/fleet/geofences/${id}`, { data: body, headers })).status()).toBe(200);
    await save(page);
    const drawn = page.getByRole("group", { name: "Shape", exact: true }).last();
    await drawn.getByText("Circle, radius 1,111 m").waitFor();
    await drawn.getByText("Circle, radius 2,222 m").waitFor();
    await drawn.getByRole("radio", { name: /Theirs/ }).check();
    await look(page, "conflict-fence");
    await page.getByRole("button", { name: "Save as chosen" }).click();
    await page.getByText("Nothing has changed.").waitFor();
    expect(await page.getByLabel("Radius (m)").inputValue()).toBe("2222");
    expect(await page.getByLabel("Description").inputValue()).toBe("Mine");
  });
}
