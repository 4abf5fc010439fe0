import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, comeBack, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { until } from "../../support/patience.ts";
import { ofSubAccount, ownerEmail, playedBack, portalPassword, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

function operation(page: Page, operationId: string): Locator {
  return page.locator(`article[aria-labelledby="${operationId}"]`);
}

/** Opens the console of an operation as a person who is signed in. */
async function openConsole(page: Page, operationId: string): Promise<Locator> {
  const article = operation(page, operationId);
  await article.getByRole("button", { name: "Try it" }).click();
  const console = article.getByRole("region", { name: /^Console: / });
  await console.getByText(/^Runs as|needs no key\.$/).waitFor();
  return console;
}

/** Sends the call, or asks once more by another button, and waits for its status. */
async function run(article: Locator, status: RegExp, name = "Run"): Promise<void> {
  await article.getByRole("button", { name, exact: true }).click();
  await article.locator(".status", { hasText: status }).waitFor();
}

/** The operations are alike, and to check all of them takes a minute. */
async function leaveOperations(page: Page, operationIds: readonly string[]): Promise<void> {
  const left = operationIds.map((operationId) => `[aria-labelledby=${operationId}]`).join(", ");
  const others = `article:not(:is(${left}))`;
  await page.evaluate(`for (const article of document.querySelectorAll("${others}")) article.remove()`);
}

async function idsIn(article: Locator): Promise<string[]> {
  const body = JSON.parse(await article.getByLabel("Body of the answer").innerText());
  return body.data.map((device: { device_id: string }) => device.device_id).sort();
}

export function testReference(given: () => PortalSite): void {
  test("the reference leads to the keys of the portal", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/docs");
    await page.getByRole("link", { name: "Make a key in the portal" }).first().click();
    await page.waitForURL("**/portal/keys");
  });

  test("the reference's console sends nothing before a click, and shows what the person sees, and no more", async () => {
    const { page, requested } = await given().signedIn(subAccountEmail, desktop);
    await page.goto("/docs");
    await page.getByRole("heading", { name: "First call" }).waitFor();
    expect(requested.filter((path) => !path.startsWith("/docs"))).toEqual([]);
    const before = requested.length;
    const article = await openConsole(page, "listDevices");
    expect(await article.locator(".access").innerText()).toMatch(/^Runs as Sam Okafor .* session, not with a key/);
    await run(article, /^200 OK in .*, .*(?:bytes|KB)$/);
    expect(await idsIn(article)).toEqual([...ofSubAccount].sort());
    await article.getByText("X-RateLimit-Remaining-Second").waitFor();
    expect(requested.slice(before).every((path) => path.startsWith("/portal/api/"))).toBe(true);

    const one = await openConsole(page, "getDevice");
    await one.getByText(`your ${ofSubAccount.length} devices are offered`).waitFor();
    const offered = await page.evaluate(
      '[...document.querySelectorAll("#getDevice-console option")].map((option) => option.value).sort()',
    );
    expect(offered).toEqual([...ofSubAccount].sort());
    await one.getByRole("button", { name: "Run", exact: true }).click();
    expect(await one.locator(".status").innerText()).toBe("");
    await one.getByLabel("device_id").fill(playedBack.id);
    await run(one, /^404/);
    await one.getByText('"NOT_FOUND"').waitFor();
    await one.getByLabel("device_id").fill(ofSubAccount[0] ?? "");
    await run(one, /^200/);
  });

  test("the reference's console sends a tag back, turns pages, and shows other formats", async () => {
    const { page } = await given().signedIn(ownerEmail, desktop);
    await page.goto("/docs");
    const live = await openConsole(page, "listLatestPositions");
    // A vehicle that has been silent for long does not move between two calls.
    await live.getByLabel("device_id").fill(playedBack.id);
    await run(live, /^200/);
    await live.getByText("ETag").waitFor();
    await run(live, /^304 Not Modified/, "Ask again with If-None-Match");
    expect(await live.getByLabel("Body of the answer").count()).toBe(0);

    const devices = await openConsole(page, "listDevices");
    await devices.getByLabel("limit").fill("1");
    await run(devices, /^200/);
    const first = await idsIn(devices);
    await devices.getByRole("button", { name: "Read the next page" }).click();
    await until(async () => (await idsIn(devices))[0] !== first[0]);
    expect(await devices.getByLabel("cursor").inputValue()).not.toBe("");

    await devices.getByLabel("cursor").fill("");
    await devices.getByLabel("format").selectOption("csv");
    await run(devices, /^200/);
    await devices.getByText("text/csv").waitFor();
    expect(await devices.getByLabel("Body of the answer").innerText()).toMatch(/^device_id,imei,name/);
    const saved = page.waitForEvent("download");
    await devices.getByRole("button", { name: "Save" }).click();
    expect((await saved).suggestedFilename()).toBe("answer.csv");

    const health = await openConsole(page, "getHealth");
    await run(health, /^200/);
    await health.getByText('"ok"').first().waitFor();
  });

  test("a person who is signed out signs in beside the reference, and its console notices", async () => {
    const { page } = await given().visitor({ ...desktop, map: "none" });
    await page.goto("/docs#listTrips");
    const article = operation(page, "listTrips");
    await article.getByRole("button", { name: "Try it" }).click();
    await article.getByText("uses the portal’s session, not a key").waitFor();
    await article.getByLabel("limit").fill("2");
    expect(await article.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true);
    const [portal] = await Promise.all([
      page.context().waitForEvent("page"),
      article.getByRole("link", { name: "Sign in to the portal" }).click(),
    ]);
    await portal.getByLabel("E-mail").fill(ownerEmail);
    await portal.getByLabel("Password").fill(portalPassword);
    await portal.getByRole("button", { name: "Sign in" }).click();
    await portal.getByRole("navigation").first().waitFor();
    await portal.close();
    await comeBack(page);
    await article.getByText("Runs as Olga Brandt").waitFor();
    await run(article, /^200/);
    expect(await article.getByLabel("limit").inputValue()).toBe("2");

    // The session ends, and the console says so instead of an error.
    await page.context().clearCookies();
    await article.getByRole("button", { name: "Run", exact: true }).click();
    await article.getByText("You are signed out.").waitFor();
    await article.getByRole("link", { name: "Sign in to the portal" }).waitFor();
  });

  test("samples of the reference follow what is entered, in one language for the whole page, which is remembered", async () => {
    const { page } = await given().signedIn(ownerEmail, desktop);
    await page.goto("/docs");
    const console = await openConsole(page, "listTrips");
    const article = operation(page, "listTrips");
    const sample = article.locator("[data-sample] code");
    expect(await sample.innerText()).toContain('"$BASE/trips" \\\n  -d from=2026-03-17T00:00:00Z');
    await console.getByLabel("from").fill("2026-03-17 08:00");
    await console.getByLabel("limit").fill("9");
    expect(await sample.innerText()).toContain("--data-urlencode 'from=2026-03-17 08:00' \\\n  -d limit=9");
    expect(await console.locator(".path").innerText()).toBe("GET /v1/trips?from=2026-03-17+08%3A00&limit=9");
    await article.getByRole("button", { name: "Python" }).click();
    expect(await sample.innerText()).toContain('list_trips(\n    from_="2026-03-17 08:00",\n    limit=9,\n)');
    expect(await page.locator("[data-sample=listUsers] code").innerText()).toContain("odograph.list_users()");
    await page.reload();
    expect(await sample.innerText()).toContain("odograph.list_trips(");
    await article.getByRole("button", { name: "Go", exact: true }).click();
    expect(await sample.innerText()).toContain("package main");
  });

  test("a search of the reference finds fields by what they mean, by keyboard, and leads to them", async () => {
    const { page } = await given().visitor(desktop);
    await page.goto("/docs");
    const results = page.getByRole("listbox", { name: "Results" }).getByRole("option");
    await page.keyboard.press("/");
    await page.keyboard.type("highest speed trips");
    await results.first().waitFor();
    expect(await results.first().innerText()).toContain("max_speed_kmh");
    expect(await results.first().locator("mark").count()).toBeGreaterThan(1);
    await page.keyboard.press("Enter");
    expect((await addressOf(page)).hash).toBe("#listTrips-field-max_speed_kmh");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("max_speed_kmh");
    const isSeen = await page.evaluate(
      `(() => { const { top, bottom } = document.querySelector("tr:target").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight; })()`,
    );
    expect(isSeen).toBe(true);
    expect(await page.evaluate("CSS.highlights.get('found').size")).toBeGreaterThan(0);

    const input = page.getByRole("combobox");
    for (const [query, found] of [
      ["cursor_expired", "CURSOR_EXPIRED"],
      ["If-None-Match", "If-None-Match"],
      ["no row is skipped", "Paging"],
      ["trips:read", "trips:read"],
      ["retry-after", "Retry-After"],
      ["/reports/mileage", "Report mileage"],
    ] as const) {
      await input.fill(query);
      expect((await results.allInnerTexts()).join("\n"), query).toContain(found);
    }
    await input.fill("imei");
    const second = await results.nth(1).innerText();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator("[role=option][aria-selected=true]").innerText()).toBe(second);
    await input.fill("no such thing");
    await page.getByText("Nothing is found for “no such thing”.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "First call" }).first().waitFor();
  });

  test("nobody stumbles over the reference, its console or its search, on a desk or on a phone", async () => {
    for (const size of [desktop, phone]) {
      const { page, leave } = await given().signedIn(ownerEmail, size);
      await page.goto("/docs");
      const article = await openConsole(page, "listTrips");
      await run(article, /^200/);
      await openConsole(page, "getHealth");
      expect(await overhang(page)).toBe(0);
      await leaveOperations(page, ["listTrips", "getHealth"]);
      if (size === desktop) await expectNoBarriers(page, "reference with a console");
      if (size === phone) await page.getByRole("button", { name: "Search" }).click();
      else await page.keyboard.press("/");
      await page.keyboard.type("speed");
      await page.getByRole("option").first().waitFor();
      await leaveOperations(page, []);
      await expectNoBarriers(page, "reference while searching", size === phone ? ["light"] : undefined);
      await leave();
    }
  });

  test("the reference can be read without JavaScript, and prints without its controls", async () => {
    const { page, leave } = await given().visitor({ ...desktop, javaScriptEnabled: false });
    await page.goto("/docs");
    expect(await page.locator("[data-sample=listTrips] code").innerText()).toContain("curl -G");
    expect(await page.locator("#listTrips-field-max_speed_kmh").isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Try it" }).count()).toBe(0);
    await leave();
    const printed = await given().signedIn(ownerEmail, desktop);
    await printed.page.goto("/docs");
    await openConsole(printed.page, "listTrips");
    const article = operation(printed.page, "listTrips");
    await printed.page.emulateMedia({ media: "print" });
    for (const part of [".console", ".try", ".languages"])
      expect(await article.locator(part).first().isVisible()).toBe(false);
    expect(await article.locator("[data-sample] code").isVisible()).toBe(true);
  });
}

export function testGuide(given: () => PortalSite): void {
  test("the guide is found from the portal, can be searched while typing, and leads to the section", async () => {
    const { page } = await given().signedIn(undefined, { map: "none" });
    await page.goto("/docs");
    await page.getByRole("link", { name: "Guide" }).first().click();
    await page.waitForURL("**/docs/guide");
    await page.keyboard.press("/");
    await page.keyboard.type("restore a backup");
    await page.getByRole("link", { name: /^Backup and restore Running it in production/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("link", { name: /^Backup and restore Running it in production/ }).click();
    await page.waitForURL("**/docs/guide/operations#backup-and-restore");
    await expectNoBarriers(page, "a page of the guide");
  });

  test("the guide fits a phone, and its contents open there", async () => {
    const { page } = await given().signedIn(undefined, { ...phone, map: "none" });
    await page.goto("/docs/guide/operations");
    expect(await overhang(page)).toBe(0);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.getByRole("searchbox").fill("upgrade");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/guide/search?q=upgrade");
    await page.getByRole("heading", { name: "Search" }).waitFor();
    expect(await overhang(page)).toBe(0);
    await expectNoBarriers(page, "the guide's search", ["light"]);
  });
}
