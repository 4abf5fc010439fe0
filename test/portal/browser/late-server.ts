import { expect } from "bun:test";
import type { Page, Route } from "playwright-core";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { portalPassword, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

interface Held {
  /** As many as have come so far. */
  readonly count: () => number;
  /** The first has come. */
  readonly first: Promise<void>;
  /** All that were held go on, and all that come. */
  readonly release: () => void;
}

/** Such requests wait, as on a slow line, until they are released. */
async function hold(page: Page, path: string, isHeld = async (_: Route) => true): Promise<Held> {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { promise: first, resolve: onFirst } = Promise.withResolvers<void>();
  let count = 0;
  await page.context().route(path, async (route) => {
    // A page that is left takes what is under way with it.
    if (await isHeld(route).catch(() => false)) {
      count++;
      onFirst();
      await gate;
    }
    await route.continue().catch(() => {});
  });
  return { count: () => count, first, release };
}

export function testLateServer(given: () => PortalSite): void {
  test("nothing is blank without a word while scripts and answers are on their way", async () => {
    const { page, leave } = await given().signedIn(undefined, { once: true });
    // It is asked for when the page itself is running.
    const isLanguage = async (route: Route) =>
      (await (await route.fetch()).text()).includes("Looking for your vehicles");
    const language = await hold(page, "**/portal/assets/*.js", isLanguage);
    const session = await hold(page, "**/portal/api/session");
    const positions = await hold(page, "**/portal/api/live-positions*");
    await page.goto("/portal/map");
    await language.first;
    await page.locator("#root", { hasText: "Odograph" }).waitFor();
    language.release();
    await page.getByText("Opening the portal…").waitFor();
    session.release();
    await page.getByText("Looking for your vehicles…").waitFor();
    await page.getByText("Loading the map…").waitFor();
    await positions.first;
    expect(await page.locator(".vehicle").count()).toBe(0);
    positions.release();
    await page.locator(".vehicle").first().waitFor();
    await leave();
  });

  test("what is pressed again before the answer has come is done once, and the button keeps the focus", async () => {
    const { page, leave } = await given().signedIn(subAccountEmail, { once: true });
    const other = await given().visitor();
    const data = { email: subAccountEmail, password: portalPassword };
    const headers = { "X-Odograph-Portal": "1", Origin: given().origin };
    expect((await other.page.request.post("/portal/api/session", { data, headers })).ok()).toBe(true);
    await page.goto("/portal/account");
    const end = page.getByRole("button", { name: "End all others" });
    const ending = await hold(page, "**/portal/api/sessions/end-others");
    await end.click();
    await ending.first;
    await end.and(page.locator("[aria-disabled=true]")).waitFor();
    await end.click({ force: true });
    await page.keyboard.press("Enter");
    ending.release();
    await end.waitFor({ state: "detached" });
    expect(ending.count()).toBe(1);
    await leave();
  });
}
