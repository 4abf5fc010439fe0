import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, expectFocus, goTo } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { until } from "../../support/patience.ts";
import {
  newcomerEmail,
  ofSubAccount,
  oneVehicleEmail,
  playedBack,
  portalPassword,
  subAccountEmail,
} from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

export function testPeople(given: () => PortalSite): void {
  test("a sub-account sees only its own, and what the owner gives it at once", async () => {
    const site = given();
    const sam = await site.signedIn(subAccountEmail, { map: "none" });
    const names = () => sam.page.locator(".vehicle-name").allTextContents();
    await sam.page.goto("/portal/map");
    await sam.page.locator(".vehicle-name").first().waitFor();
    expect(await names()).toEqual(["Boreas 01", "Ceres 01"]);
    await goTo(sam.page, "/keys");
    await sam.page.getByText("No keys yet").waitFor();
    // A vehicle of others is not there, even by its address.
    await goTo(sam.page, `/map/${playedBack.id}`);
    await sam.page.getByText("This does not exist, or you cannot see it.").waitFor();
    await goTo(sam.page, "/fleet/people");
    await sam.page.getByText("There is no such page").waitFor();

    const olga = await site.signedIn();
    await olga.page.goto("/portal/fleet/people");
    await olga.page.getByRole("button", { name: "Choose vehicles of Sam Okafor" }).click();
    await olga.page.getByLabel(/Search/).fill("atlas 01");
    await olga.page.getByRole("checkbox", { name: /Atlas 01/ }).check();
    await olga.page.getByText(/Begins 1 assignment; 1 sub-account/).waitFor();
    await expectNoBarriers(olga.page, "choosing vehicles");
    await olga.page.getByRole("button", { name: "Save" }).click();
    await olga.page.getByText(`${ofSubAccount.length + 1} vehicles`, { exact: true }).waitFor();

    await goTo(sam.page, "/account");
    await sam.page.getByRole("link", { name: "Atlas 01" }).click();
    await sam.page.getByRole("heading", { name: "Atlas 01" }).waitFor();
    // The rows may be painted after the card.
    await sam.page.locator(".vehicle-name").first().waitFor();
    expect(await names()).toEqual(["Atlas 01", "Boreas 01", "Ceres 01"]);
  });

  test("a person is invited by a link, chooses a password with it, and is signed in; the link works once", async () => {
    const site = given();
    const { page } = await site.signedIn(undefined, { map: "none" });
    await page.goto("/portal/fleet/people");
    await page.getByRole("button", { name: "Invite a person" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("Eve Ekman");
    await dialog.getByLabel("E-mail").fill(subAccountEmail);
    await dialog.getByText("Enter an e-mail address that no other user has.").waitFor();
    await dialog.getByLabel("E-mail").fill("eve@nordlicht.test");
    await dialog.getByRole("checkbox", { name: /Echo 01/ }).check();
    await dialog.getByText("Begins 1 assignment").waitFor();
    await expectNoBarriers(page, "inviting a person");
    await dialog.getByRole("button", { name: "Make the invitation" }).click();
    const url = await madeLink(page);
    await expectNoBarriers(page, "a link that was made");
    await dialog.getByRole("button", { name: "Done" }).click();
    const card = page.locator(".person-card", { hasText: "Eve Ekman" });
    await card.getByText("Invited").waitFor();
    await card.getByText(/Link works until/).waitFor();
    expect(await page.content()).not.toContain(url.split("#")[1] ?? "");

    const eve = await site.visitor({ map: "none" });
    await eve.page.goto(url);
    await eve.page.getByText("You are invited to Nordlicht Logistics.", { exact: false }).waitFor();
    await expectNoBarriers(eve.page, "an invitation");
    await chooses(eve.page, "a password of Eve", "another one");
    await eve.page.getByText("The two passwords differ.").waitFor();
    await chooses(eve.page, "a password of Eve");
    await eve.page.getByRole("navigation", { name: "Views" }).waitFor();
    expect((await addressOf(eve.page)).hash).toBe("");
    await eve.page.goto(url);
    await eve.page.getByText("This link does not work").waitFor();
    await expectNoBarriers(eve.page, "a link that was used");
    await goTo(eve.page, "/account");
    await eve.page.getByRole("link", { name: "Echo 01" }).waitFor();
  });

  test("the owner renames, resets, disables and removes a person; of two owners at once, the second decides", async () => {
    const site = given();
    const [olga, elsewhere] = [
      await site.signedIn(undefined, { map: "none" }),
      await site.signedIn(undefined, { map: "none" }),
    ];
    const nils = await site.signedIn(newcomerEmail, { map: "none" });
    const manage = async (page: Page, name: string) => {
      await page.goto("/portal/fleet/people");
      await page.getByRole("button", { name: `Manage ${name}` }).click();
      return page.getByRole("dialog");
    };
    const first = await manage(olga.page, "Nils Berg");
    const second = await manage(elsewhere.page, "Nils Berg");
    await first.getByLabel("Name", { exact: true }).fill("Nils Bergström");
    await first.getByRole("button", { name: "Save" }).click();
    await olga.page.getByRole("heading", { name: "Nils Bergström" }).waitFor();
    await second.getByLabel("Name", { exact: true }).fill("N. Berg");
    await second.getByRole("button", { name: "Save" }).click();
    await second.getByText("Someone else has changed this in the meantime").waitFor();
    await second.getByRole("button", { name: "Take theirs" }).click();
    expect(await second.getByLabel("Name", { exact: true }).inputValue()).toBe("Nils Bergström");

    const access = await manage(olga.page, "Nils Bergström");
    await expectNoBarriers(olga.page, "managing a person");
    await access.getByRole("button", { name: "Link to a new password" }).click();
    const url = await madeLink(olga.page);
    const guest = await site.visitor({ map: "none" });
    await guest.page.goto(url);
    await guest.page.getByRole("heading", { name: "Choose a new password" }).waitFor();
    await chooses(guest.page, portalPassword);
    await guest.page.getByRole("navigation", { name: "Views" }).waitFor();
    // All other sessions of Nils are over.
    expect((await nils.page.request.get("/portal/api/session")).status()).toBe(401);

    const again = await manage(olga.page, "Nils Bergström");
    const disable = await again.getByRole("button", { name: "Disable" }).boundingBox();
    await again.getByRole("button", { name: "Disable" }).click();
    await again.getByRole("button", { name: "Enable" }).waitFor();
    // Nothing dangerous has come near the place where the pointer is.
    const remove = await again.getByRole("button", { name: "Remove…" }).boundingBox();
    expect((remove?.y ?? 0) - (disable?.y ?? 0)).toBeGreaterThan(2 * (disable?.height ?? 0));
    expect((await guest.page.request.get("/portal/api/session")).status()).toBe(401);
    await again.getByRole("button", { name: "Enable" }).click();
    await again.getByRole("button", { name: "Disable" }).waitFor();
    await again.getByLabel("Name", { exact: true }).fill("Nils Berg");
    await again.getByRole("button", { name: "Save" }).click();
    await olga.page.getByRole("heading", { name: "Nils Berg", exact: true }).waitFor();

    const leaving = await manage(olga.page, "Eve Ekman");
    await leaving.getByRole("button", { name: "Remove…" }).click();
    await expectNoBarriers(olga.page, "removing a person");
    await olga.page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await until(async () => (await olga.page.getByRole("heading", { name: "Eve Ekman" }).count()) === 0);
    await olga.page.getByText("Removed people (1)").click();
    await olga.page.getByRole("button", { name: "Erase Eve Ekman for good" }).click();
    await olga.page.getByRole("dialog").getByRole("button", { name: "Erase for good" }).click();
    await until(async () => (await olga.page.getByText(/Removed people/).count()) === 0);
  });

  test("an old page disables and removes a person as they are now; the log keeps the name until they are erased", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    const headers = { "X-Odograph-Portal": "1" };
    const fields = { name: "Tilda Old", email: "tilda@nordlicht.test", device_ids: ofSubAccount };
    const made = await page.request.post("/portal/api/fleet/users", { headers, data: { fields } });
    const { user_id: id, revision: first } = (await made.json()).data;
    const rename = async (name: string, revision: number) => {
      const data = { revision, fields: { name } };
      const answer = await page.request.put(`/portal/api/fleet/users/${id}`, { headers, data });
      expect(answer.status()).toBe(200);
      return (await answer.json()).data.revision;
    };
    await page.goto("/portal/fleet/people");
    await page.getByRole("button", { name: "Manage Tilda Old" }).click();
    const dialog = page.getByRole("dialog");
    // Made here: no fleet file ever had her.
    expect(await dialog.getByText(/fleet file/).count()).toBe(0);
    const second = await rename("Tilda New", first);
    const disable = dialog.getByRole("button", { name: "Disable", exact: true });
    await disable.click();
    await dialog.getByText("Changed since you opened it: Name (now Tilda New).").waitFor();
    await dialog.getByRole("button", { name: "Disable anyway" }).click();
    const enable = dialog.getByRole("button", { name: "Enable", exact: true });
    await enable.waitFor();
    await expectFocus(page, /^Enable$/);
    expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("Tilda New");
    await rename("Tilda Newer", second + 1);
    await dialog.getByRole("button", { name: "Remove…" }).click();
    await page.getByText("Changed since you opened it: Name (now Tilda Newer).").waitFor();
    await page.getByText("No longer sees 2 vehicles").waitFor();
    await page.getByText("They cannot be put back", { exact: false }).waitFor();
    await expectNoBarriers(page, "removing a person whom another person has changed");
    await page.getByRole("button", { name: "Remove anyway" }).click();
    await page.getByText("Removed people (1)").waitFor();
    await expectFocus(page, /^People$/);

    const removal = page.locator("tr[data-action='user.removed']").first();
    await goTo(page, "/fleet/log?kind=people");
    await removal.waitFor();
    expect(await removal.innerText()).toContain("Tilda Newer (removed)");
    await goTo(page, "/fleet/people");
    await page.getByText("Removed people (1)").click();
    await page.getByRole("button", { name: "Erase Tilda Newer for good" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Erase for good" }).click();
    await page.getByText(/Removed people/).waitFor({ state: "detached" });
    await goTo(page, "/fleet/log?kind=people");
    await removal.waitFor();
    expect(await removal.innerText()).toContain(`${id.slice(0, 8)}…`);
    expect(await page.locator(".audit-table").innerText()).not.toContain("Tilda");
  });

  test("a person sees where they are signed in, and ends one session or all others", async () => {
    const site = given();
    const [here, second, third] = [
      await site.signedIn(oneVehicleEmail, { map: "none" }),
      await site.signedIn(oneVehicleEmail, { map: "none" }),
      await site.signedIn(oneVehicleEmail, { map: "none" }),
    ];
    const { page } = here;
    await page.goto("/portal/account");
    const rows = page.locator(".own-sessions li");
    const before = await (async () => {
      await rows.first().waitFor();
      return rows.count();
    })();
    expect(await rows.filter({ hasText: "This browser" }).count()).toBe(1);
    // The newest is first.
    await rows
      .first()
      .getByRole("button", { name: /^End the session of/ })
      .click();
    await until(async () => (await rows.count()) === before - 1);
    expect((await third.page.request.get("/portal/api/session")).status()).toBe(401);
    await page.getByRole("button", { name: "End all others" }).click();
    await until(async () => (await rows.count()) === 1);
    expect((await second.page.request.get("/portal/api/session")).status()).toBe(401);
    expect((await page.request.get("/portal/api/session")).status()).toBe(200);
  });

  test("a forgotten password: the page says whom to ask, or mails a link where there is mail", async () => {
    const site = given();
    const without = await site.visitor({ map: "none" });
    await without.page.goto("/portal/sign-in");
    await without.page.getByText("The owner of your account can send you a link", { exact: false }).waitFor();
    const server = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const other = await site.beside(...mail, "--public-url", "https://fleet.example");
    const { page, leave } = await other.visitor({ map: "none" });
    await page.goto("/portal/sign-in");
    await page.getByLabel("E-mail").fill(subAccountEmail);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(subAccountEmail);
    await expectNoBarriers(page, "a forgotten password");
    const arrived = server.next();
    await page.getByRole("button", { name: "Mail me a link" }).click();
    await page.getByText("If an account has this address", { exact: false }).waitFor();
    const { text } = await arrived;
    const token = /https:\/\/fleet\.example\/portal\/link#([\w-]+)/.exec(text)?.[1];
    await page.goto(`/portal/link#${token}`);
    await chooses(page, "a new password of Sam");
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    await Promise.all([leave(), without.leave()]);
    await other.close();
    await server.close();
  });

  test("the owner's own e-mail is changed with the password only", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/portal/fleet/people");
    await page.getByRole("button", { name: "Manage Olga", exact: false }).click();
    const dialog = page.getByRole("dialog");
    const email = dialog.getByLabel("E-mail");
    await email.waitFor();
    const before = await email.inputValue();
    expect(await dialog.getByLabel("Your password").count()).toBe(0);
    const change = async (to: string, password: string) => {
      await email.fill(to);
      await dialog.getByLabel("Your password").fill(password);
      await dialog.getByRole("button", { name: "Save" }).click();
    };
    await change("olga@elsewhere.test", "not this one");
    await dialog.getByText("This is not your password.").waitFor();
    await expectNoBarriers(page, "changing one's own e-mail");
    await dialog.getByLabel("Your password").fill(portalPassword);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.locator(".people-list").getByText("olga@elsewhere.test").waitFor();
    await page.getByRole("button", { name: "Manage Olga", exact: false }).click();
    await change(before, portalPassword);
    await page.locator(".people-list").getByText(before).waitFor();
  });

  test("a password is changed with the old one, which ends the other sessions", async () => {
    const site = given();
    const [here, elsewhere] = [await site.signedIn(oneVehicleEmail), await site.signedIn(oneVehicleEmail)];
    const { page } = here;
    await page.goto("/portal/account");
    const change = async (current: string, next: string, again = next) => {
      await page.getByLabel("Current password").fill(current);
      await page.getByLabel("New password", { exact: true }).fill(next);
      await page.getByLabel("New password again").fill(again);
      await page.getByRole("button", { name: "Change the password" }).click();
    };
    await change(portalPassword, "another password", "another passwort");
    await page.getByText("The two passwords differ").waitFor();
    await change("not this one", "another password");
    await page.getByText("This is not your password.").waitFor();
    await expectNoBarriers(page, "a refused password");
    await change(portalPassword, "another password");
    await page.getByText("Your password was changed.").waitFor();
    expect((await page.request.get("/portal/api/session")).status()).toBe(200);
    expect((await elsewhere.page.request.get("/portal/api/session")).status()).toBe(401);
    await change("another password", portalPassword);
    await page.getByText("Your password was changed.").waitFor();
  });
}

/** The link that is shown once. */
async function madeLink(page: Page): Promise<string> {
  const shown = page.getByTestId("made-link");
  await shown.waitFor();
  return (await shown.textContent()) ?? "";
}

async function chooses(page: Page, password: string, again = password): Promise<void> {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByLabel("New password again").fill(again);
  await page.getByRole("button", { name: "Save and sign in" }).click();
}
