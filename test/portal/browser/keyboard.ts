import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { until } from "../../support/patience.ts";
import { ownerEmail, portalPassword } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

/** What has the focus: its name, and whether something fixed lies over it. */
const focused = `(() => {
  const element = document.activeElement;
  const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  const { x, y, width, height } = element.getBoundingClientRect();
  const above = document.elementFromPoint(x + width / 2, y + height / 2);
  const isSeen = above !== null && (element.contains(above) || above.contains(element));
  return { name: name.trim(), isSeen, isBody: element === document.body };
})()`;

interface Focused {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isBody: boolean;
}

const focusOf = (page: Page) => page.evaluate<Focused>(focused);

/** Tab after Tab, round all of the page if need be, until what has the focus has that name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 700; presses++) {
    await page.keyboard.press("Tab");
    const at = await focusOf(page);
    passed.push(at.name.slice(0, 40));
    if (name.test(at.name)) return;
  }
  throw new Error(`${name} never had the focus: ${passed.join(" | ")}`);
}

async function focusIs(page: Page, name: RegExp): Promise<void> {
  await until(async () => name.test((await focusOf(page)).name)).catch(() => {});
  expect((await focusOf(page)).name).toMatch(name);
}

export function testKeyboard(given: () => PortalSite): void {
  test("with the keyboard alone: sign in, set a rule with a mail, test the mail, acknowledge a day", async () => {
    const server = await startMailServer();
    const mail = ["--smtp", `smtp://127.0.0.1:${server.port}`, "--mail-from", "fleet@nordlicht.test"];
    const site = await given().beside(...mail, "--public-url", "https://fleet.example");
    const { page } = await site.visitor({ map: "none", viewport: { width: 1280, height: 800 } });
    const { keyboard } = page;
    await page.goto("/portal/alerts");
    await focusIs(page, /^E-mail$/);
    await keyboard.type(ownerEmail);
    await keyboard.press("Tab");
    await keyboard.type("not this one");
    await keyboard.press("Enter");
    await page.getByText("The e-mail or the password is wrong.").waitFor();
    await focusIs(page, /^Password$/);
    await keyboard.press("ControlOrMeta+A");
    await keyboard.type(portalPassword);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();

    await page.locator(".alert").first().waitFor();
    await tabTo(page, /^All “SOS”/);
    await keyboard.press("Enter");
    await focusIs(page, /acknowledged/);

    await tabTo(page, /^Alert rules$/);
    await keyboard.press("Enter");
    await page.locator("tr[data-type=sos]").waitFor();
    await tabTo(page, /^Switch on the rule: Unauthorised movement/);
    await keyboard.press("Enter");
    await focusIs(page, /^Raise this alert$/);
    await tabTo(page, /^Mail me$/);
    await keyboard.press("Space");
    await keyboard.press("Enter");
    await focusIs(page, /^Change the rules: Unauthorised movement/);
    await keyboard.press("Enter");
    await focusIs(page, /^Raise this alert$/);
    await keyboard.press("Escape");
    await focusIs(page, /^Change the rules: Unauthorised movement/);

    await page.goto("/portal/notifications");
    await page.locator(".person-card").waitFor();
    await tabTo(page, /^Send a test mail$/);
    await keyboard.press("Enter");
    await page.getByText("Nothing was mailed: confirm the address", { exact: false }).waitFor();
    // The button that works is not taken away from under the focus.
    await focusIs(page, /^Send a test mail$/);
    await tabTo(page, /^Add a notification$/);
    await keyboard.press("Enter");
    await focusIs(page, /^Who is mailed$/);
    // What is missing is where the focus goes.
    await tabTo(page, /^Vehicles$/);
    await keyboard.press("ArrowDown");
    await keyboard.press("Enter");
    await tabTo(page, /^Save$/);
    await keyboard.press("Enter");
    await page.getByText("Choose at least one.").waitFor();
    await focusIs(page, /^Atlas 01/);
    await keyboard.press("Escape");
    await focusIs(page, /^Add a notification$/);
    await site.close();
    await server.close();
  });

  test("on a narrow screen, nothing that has the focus is behind the bars", async () => {
    const { page } = await given().signedIn(undefined, { map: "none", viewport: { width: 360, height: 740 } });
    const hidden: string[] = [];
    for (const path of ["/alerts", "/fleet/rules", "/yesterday", "/fleet/people"]) {
      await page.goto(`/portal${path}`);
      await page.locator(".alert, tr[data-type=sos], .vehicle-bars tbody tr, .person-card").first().waitFor();
      for (let presses = 0; presses < 45; presses++) {
        await page.keyboard.press("Tab");
        const { name, isSeen, isBody } = await focusOf(page);
        // The skip link and the tabs come into view by themselves.
        if (!isSeen && !isBody) hidden.push(`${path}: ${name}`);
      }
    }
    expect(hidden).toEqual([]);
  });
}
