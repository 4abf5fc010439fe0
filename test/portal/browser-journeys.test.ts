import { afterAll, beforeAll, expect, test } from "bun:test";
import { ofSubAccount, ownerEmail, playedBack, portalPassword, subAccountEmail } from "../support/portal-fleet.ts";
import { type PortalSite, startPortalSite } from "../support/portal-site.ts";

let site: PortalSite;

beforeAll(async () => {
  site = await startPortalSite();
}, 60_000);

afterAll(async () => {
  const faults = site.faults();
  await site.close();
  expect(faults).toEqual([]);
});

test("a person signs in, is told when the password is wrong, and signs out", async () => {
  const { page, leave } = await site.visitor();
  await page.goto("/portal/keys");
  await page.getByLabel("E-mail").fill(ownerEmail);
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Password").fill(portalPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  // Where one wanted to go in the first place.
  await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/portal/keys");

  await page.getByText("Olga Brandt", { exact: true }).first().click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto("/portal/keys");
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await leave();
});

test("a key that was made works as curl would use it, and no more once it is revoked", async () => {
  const { page, requested, leave } = await site.signedIn();
  await page.goto("/portal/keys");
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByText("If you close the tab before you have copied it").waitFor();
  await page.getByLabel("Name").fill("Dispatch board");
  await page.getByRole("checkbox", { name: /devices:read/ }).check();
  await page.getByRole("button", { name: "Create the key" }).click();
  const key = await page.getByTestId("made-key").innerText();
  const [, header = "", url = ""] =
    /^curl -H '([^']+)' '([^']+)'$/.exec(await page.getByTestId("curl-line").innerText()) ?? [];
  expect(header).toBe(`Authorization: Bearer ${key}`);
  const asCurl = () => fetch(url, { headers: { Authorization: header.replace(/^Authorization: /, "") } });
  const answer = await asCurl();
  expect(answer.status).toBe(200);
  expect(((await answer.json()) as { data: unknown[] }).data.length).toBe(24);

  // The key cannot be lost by a slip: Escape keeps it in sight until it is said to be stored.
  await page.keyboard.press("Escape");
  expect(await page.getByTestId("made-key").isVisible()).toBe(true);
  await page.getByLabel("I have stored the key in a safe place").check();
  await page.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(key);

  await page.getByRole("button", { name: "Revoke Dispatch board" }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  expect((await asCurl()).status).toBe(200);
  await page.getByRole("button", { name: "Revoke Dispatch board" }).click();
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await page.getByText("No key is active.").waitFor();
  expect((await asCurl()).status).toBe(401);
  // The map is loaded where it is shown, and only there.
  expect(requested.filter((path) => /maplibre|countries/.test(path))).toEqual([]);
  await leave();
});

test("a rotated key has a successor, and works itself until the overlap is over", async () => {
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/keys");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByLabel("Name").fill("Billing");
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: "Create the key" }).click();
  const old = await page.getByTestId("made-key").innerText();
  await page.getByLabel("I have stored the key in a safe place").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Rotate Billing" }).click();
  await page.getByLabel("The old key ends").selectOption("24");
  await page.getByRole("button", { name: "Rotate the key" }).click();
  const successor = await page.getByTestId("made-key").innerText();
  expect(successor).not.toBe(old);
  for (const key of [old, successor]) {
    const { status } = await fetch(`${site.origin}/v1/devices`, { headers: { "X-API-Key": key } });
    expect(status).toBe(200);
  }
  await leave();
});

test("a sub-account sees only its own, and what the owner gives it at once", async () => {
  const sam = await site.signedIn(subAccountEmail, { withoutMap: true });
  const names = () => sam.page.locator(".vehicle-name").allInnerTexts();
  await sam.page.goto("/portal/map");
  await sam.page.locator(".vehicle-name").first().waitFor();
  expect(await names()).toEqual(["Boreas 01", "Ceres 01"]);
  await sam.page.goto("/portal/keys");
  await sam.page.getByText("No keys yet").waitFor();
  // A vehicle of others is not there, whoever knows its address.
  await sam.page.goto(`/portal/map/${playedBack.id}`);
  await sam.page.getByText("This is not there, or not visible to you.").waitFor();

  const olga = await site.signedIn();
  await olga.page.goto("/portal/account");
  await olga.page.getByRole("button", { name: "Choose vehicles of Sam Okafor" }).click();
  await olga.page.getByLabel(/Search/).fill("delta 02");
  await olga.page.getByRole("checkbox", { name: /Delta 02/ }).check();
  await olga.page.getByRole("button", { name: "Save" }).click();
  await olga.page.getByText(`${ofSubAccount.length + 1} vehicles`, { exact: true }).waitFor();

  await sam.page.goto("/portal/account");
  await sam.page.getByRole("link", { name: "Delta 02" }).click();
  await sam.page.getByRole("heading", { name: "Delta 02" }).waitFor();
  expect(await names()).toEqual(["Boreas 01", "Ceres 01", "Delta 02"]);
  await Promise.all([sam.leave(), olga.leave()]);
});

test("an alert is acknowledged, and shows by whom and when", async () => {
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/alerts");
  await page.getByLabel("Type").selectOption("speeding");
  const first = page.locator("[data-alert=speeding]").first();
  await first.getByRole("button", { name: /^Acknowledge/ }).click();
  await first.getByText("Acknowledged by Olga Brandt").waitFor();
  await page.reload();
  await page.getByLabel("State").selectOption("true");
  await page.getByText("1 alert, the newest first").waitFor();
  await page.getByText("Acknowledged by Olga Brandt").waitFor();
  await leave();
});

test("a session that has ended leads to the sign-in, and back to where one was", async () => {
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/usage");
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Alerts" }).click();
  await page.getByText("You were signed out.").waitFor();
  await page.getByLabel("E-mail").fill(ownerEmail);
  await page.getByLabel("Password").fill(portalPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
  await leave();
});

test("the keyboard alone goes past the views, opens a dialog, and comes back to where it was", async () => {
  const { page, leave } = await site.signedIn();
  await page.goto("/portal/keys");
  const create = page.getByRole("button", { name: /^Create/ });
  await create.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("content");
  await create.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Create");
  await leave();
});
