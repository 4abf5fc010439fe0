import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, expectFocus } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { uuid } from "../../support/fleet.ts";
import { ownerEmail, portalPassword } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(ownerEmail);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** In the page: the server has too much to do for so many sign-ins. */
function refuseSignIns(times: number): void {
  const { fetch } = globalThis;
  let left = times;
  globalThis.fetch = (async (input: string, init?: RequestInit) => {
    if (!input.endsWith("/session") || init?.method !== "POST" || left-- <= 0) return fetch(input, init);
    const error = { code: "PASSWORDS_BUSY", message: "too many passwords are being checked at once" };
    return Response.json({ error }, { status: 503, headers: { "Retry-After": "2" } });
  }) as typeof fetch;
}

export function testSessions(given: () => PortalSite): void {
  test("a person signs in, sees when the password is wrong, and signs out", async () => {
    const { page, requested } = await given().visitor({ map: "drawn" });
    await page.goto("/portal/keys");
    await signIn(page, "not this one");
    await page.getByRole("alert").getByText("The e-mail or the password is wrong.").waitFor();
    await expectNoBarriers(page, "a refused sign-in");
    await signIn(page, portalPassword);
    // Where one wanted to go in the first place.
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    expect((await addressOf(page)).pathname).toBe("/portal/keys");

    await page.getByText("Olga Brandt", { exact: true }).first().click();
    // Without the server, the session there goes on, and the page says so.
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("The server cannot be reached.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto("/portal/keys");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    // The map is loaded where it is shown, and only there.
    expect(requested.filter((path) => /maplibre|countries|world/.test(path))).toEqual([]);
  });

  test("a sign-in that finds the server busy is tried once more by the page, which says so", async () => {
    const { page } = await given().visitor({ map: "drawn" });
    await page.goto("/portal/keys");
    await page.evaluate(refuseSignIns, 1);
    await signIn(page, portalPassword);
    await page.getByRole("status").getByText("The page tries once more in 2 seconds.").waitFor();
    await page.getByRole("button", { name: "Signing in…" }).waitFor();
    await expectNoBarriers(page, "a sign-in that waits for its second try");
    await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();

    // After the second one it gives up, and says that, too.
    await page.context().clearCookies();
    await page.goto("/portal/keys");
    await page.evaluate(refuseSignIns, 2);
    await signIn(page, portalPassword);
    await page.getByRole("alert").getByText("The server is busy.").waitFor();
    expect(await page.getByText("The page tries once more").count()).toBe(0);
  });

  test("a session that has ended leads to the sign-in, and back to where one was", async () => {
    const { page } = await given().signedIn();
    await page.goto("/portal/usage");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Alerts" }).click();
    await page.getByText("You were signed out.").waitFor();
    await signIn(page, portalPassword);
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
  });

  test("the keyboard alone goes past the views, opens a dialog, and comes back to where it was", async () => {
    const { page } = await given().signedIn();
    await page.goto("/portal/keys");
    const create = page.getByRole("button", { name: /^Create/ });
    await create.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("#content:focus").waitFor();
    await create.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    // It begins at the name, and says what is missing.
    await page.keyboard.type("By keyboard");
    expect(await page.getByLabel("Name").inputValue()).toBe("By keyboard");
    await page.getByRole("checkbox", { name: /devices:read/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("Choose at least one.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectFocus(page, /Create/);
    await page.locator(".menu-button").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await expectFocus(page, /Olga Brandt/);

    // A session may end while a dialog is open.
    await create.click();
    await page.getByLabel("Name").fill("Too late");
    await page.getByRole("checkbox", { name: /devices:read/ }).check();
    await page.context().clearCookies();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("You were signed out.").waitFor();
    await page.locator("[name=email]:focus").waitFor();
  });

  test("a person who reads faster than is allowed waits, and then sees it", async () => {
    // Of fewer calls a second, also a busy machine sends too many.
    const site = await given().beside();
    const limits = { per_second: 5, per_day: 100_000 };
    await site.load([{ type: "account", id: uuid(1), name: "Nordlicht Logistics", limits }]);
    const { page, leave } = await site.signedIn();
    await page.goto("/portal/usage");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    const burst =
      "Promise.all(Array.from({ length: 80 }, () => fetch('/portal/api/keys').then(({ status }) => status)))";
    while (!((await page.evaluate(burst)) as number[]).includes(429));
    await page.getByRole("link", { name: "Fleet", exact: true }).click();
    await page.getByText("Atlas 01").first().waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await leave();
    await site.close();
  });
}
