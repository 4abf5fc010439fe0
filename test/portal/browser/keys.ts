import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { addressOf, expectFocus, goTo, makeTimersLast, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { user } from "../../support/fleet.ts";
import { newcomerEmail, portalPassword, subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

async function storeKey(page: Page): Promise<void> {
  await page.getByLabel("I have stored the key in a safe place").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: /^Create (a|the first) key$/ }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: "Create the key" }).click();
  return page.getByTestId("made-key").innerText();
}

async function statusOf({ origin }: PortalSite, key: string): Promise<number> {
  return (await fetch(`${origin}/v1/devices?limit=1`, { headers: { "X-API-Key": key } })).status;
}

export function testKeys(given: () => PortalSite): void {
  test("a key that was made works as curl would use it, and no more once it is revoked", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page } = await given().signedIn(undefined, { permissions });
    await page.goto("/portal/keys");
    await page.getByRole("button", { name: "Create the first key" }).click();
    await page.getByText("If you close the tab before you have copied it").waitFor();
    await page.getByLabel("Name").fill("Dispatch board");
    await page.getByLabel("Requests per second").fill("7");
    await page.getByRole("checkbox", { name: /devices:read/ }).check();
    await page.getByRole("button", { name: "Create the key" }).click();
    const key = await page.getByTestId("made-key").innerText();
    const line = await page.getByTestId("curl-line").innerText();
    const [, header = "", url = ""] = /^curl -H '([^']+)' '([^']+)'$/.exec(line) ?? [];
    expect(header).toBe(`Authorization: Bearer ${key}`);
    const asCurl = () => fetch(url, { headers: { Authorization: header.replace(/^Authorization: /, "") } });
    const answer = await asCurl();
    expect([answer.status, answer.headers.get("X-RateLimit-Limit-Second")]).toEqual([200, "7"]);
    expect(((await answer.json()) as { data: unknown[] }).data.length).toBe(24);

    await makeTimersLast(page);
    for (const [what, text] of [
      ["key", key],
      ["curl line", line],
    ] as const) {
      await page.getByRole("button", { name: `Copy: ${what}` }).click();
      await page.getByRole("button", { name: `Copied: ${what}` }).waitFor();
      expect(await page.evaluate("navigator.clipboard.readText()")).toBe(text);
    }
    await expectNoBarriers(page, "a key that was made");
    // The key cannot be lost by a slip: Escape keeps it in sight until it is said to be stored.
    await page.keyboard.press("Escape");
    expect(await page.getByTestId("made-key").isVisible()).toBe(true);
    await storeKey(page);
    expect(await page.content()).not.toContain(key);

    await page.getByRole("button", { name: "Revoke Dispatch board" }).click();
    await expectNoBarriers(page, "revoking a key");
    await page.getByRole("button", { name: "Keep it" }).click();
    await expectFocus(page, /^Revoke$/);
    expect((await asCurl()).status).toBe(200);
    await page.getByRole("button", { name: "Revoke Dispatch board" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("No key is active.").waitFor();
    await expectFocus(page, /^API keys$/);
    expect((await asCurl()).status).toBe(401);
    await page.getByLabel("Show 1 expired or revoked").check();
    await page.getByText("Revoked", { exact: true }).waitFor();
  });

  test("a rotated key has a successor, and works itself until the overlap is over", async () => {
    const site = given();
    const { page } = await site.signedIn();
    await page.goto("/portal/account");
    await page.getByRole("link", { name: "Keys" }).click();
    const old = await createKey(page, "Billing");
    // The browser's Back does not lose it either.
    const back = () => page.evaluate("history.back()");
    await back();
    await page.getByText("Leave without the key?").waitFor();
    await expectFocus(page, /^Stay here$/);
    await expectNoBarriers(page, "leaving without the key");
    await page.getByRole("button", { name: "Stay here" }).click();
    expect(await page.getByTestId("made-key").innerText()).toBe(old);
    expect((await addressOf(page)).pathname).toBe("/portal/keys");
    // Where a page may not write to the clipboard (a plain http address), it selects, for the keyboard to copy.
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await makeTimersLast(page);
    await page.getByRole("button", { name: "Copy: key" }).click();
    await page.getByRole("button", { name: "Press Ctrl+C: key" }).waitFor();
    expect(await page.evaluate("getSelection().toString()")).toBe(old);
    await storeKey(page);
    await page.getByRole("button", { name: "Rotate Billing" }).click();
    await page.getByLabel("The old key ends").selectOption("24");
    await expectNoBarriers(page, "rotating a key");
    await page.getByRole("button", { name: "Rotate the key" }).click();
    const successor = await page.getByTestId("made-key").innerText();
    expect(successor).not.toBe(old);
    for (const key of [old, successor]) expect(await statusOf(site, key)).toBe(200);
    await back();
    await page.getByRole("button", { name: "Leave without it" }).click();
    await page.getByRole("heading", { name: "Account", level: 1 }).waitFor();
    expect((await addressOf(page)).pathname).toBe("/portal/account");
    await page.getByRole("link", { name: "Keys" }).click();
    // Its successor can be rotated; it itself is on its way out.
    const replaced = page.getByRole("row", { name: /Billing/ }).filter({ hasText: "Being replaced" });
    await replaced.waitFor();
    expect(await replaced.getByRole("button").allInnerTexts()).toEqual(["Revoke"]);
    expect(await page.getByRole("button", { name: "Rotate Billing" }).count()).toBe(1);
  });

  test("a key of a person who is disabled is shown as one that does not work", async () => {
    const site = given();
    const nils = await site.signedIn(newcomerEmail);
    await nils.page.goto("/portal/keys");
    const key = await createKey(nils.page, `Of Nils ${"x".repeat(92)}`);
    await nils.leave();
    const status = (is: string) =>
      site.load([
        user(14, {
          name: is === "active" ? "Nils Berg" : "N".repeat(200),
          email: newcomerEmail,
          password: portalPassword,
          status: is,
        }),
      ]);
    await status("disabled");
    expect(await statusOf(site, key)).toBe(401);
    const { page, leave } = await site.signedIn();
    await page.goto("/portal/keys");
    const row = page.getByRole("row", { name: /Of Nils/ });
    await row.getByText("Creator disabled").waitFor();
    expect(await row.getByRole("button").allInnerTexts()).toEqual(["Revoke"]);
    await expectNoBarriers(page, "the keys");
    // Nor does a name without a space, as long as a fleet file may have it, widen anything.
    await page.evaluate("document.querySelector('.menu-name').textContent = 'O'.repeat(200)");
    for (const width of [375, 800, 1200]) {
      await page.setViewportSize({ width, height: 700 });
      for (const [path, there] of [
        ["/fleet/people", ".person-card"],
        ["/keys", ".table-cards"],
      ] as const) {
        await goTo(page, path);
        await page.locator(there).first().waitFor();
        const covered =
          "[...document.querySelectorAll('.person-card, .table-frame, .top')].filter((e) => e.scrollWidth > e.clientWidth).length";
        expect([width, path, await overhang(page), await page.evaluate(covered)]).toEqual([width, path, 0, 0]);
      }
    }
    await row.getByRole("button").click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await row.waitFor({ state: "detached" });
    await leave();
    await status("active");
  });
}

/** As in a terminal. */
async function paste(line: string): Promise<{ accepted?: number; error?: { code: string } }> {
  const shell = Bun.spawn(["sh", "-c", line], { stdout: "pipe", stderr: "pipe" });
  return JSON.parse(await new Response(shell.stdout).text());
}

export function testTrackers(given: () => PortalSite): void {
  test("a token that was made sends what its line says, and nothing more once it is revoked", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page } = await given().signedIn(undefined, { permissions });
    await page.goto("/portal/fleet/trackers");
    await page.getByRole("button", { name: "Create the first token" }).waitFor();
    await page.getByText("This address is a guess").waitFor();
    await page.getByText("Only programs on the same machine reach this address").waitFor();
    await page.getByRole("button", { name: "Create the first token" }).click();
    await page.getByLabel("Name").fill("Gateway North");
    await expectNoBarriers(page, "creating a token");
    await page.getByRole("button", { name: "Create the token" }).click();
    const token = await page.getByTestId("made-token").innerText();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "Vehicle" }).selectOption({ label: "Echo 02" });
    const shown = async (way: string, into: string) => {
      await dialog.getByText(way, { exact: true }).click();
      return dialog.getByTestId(`paste-${into}`).innerText();
    };
    expect(await shown("Traccar", "traccar_positions")).toContain(`Authorization: Bearer ${token}`);
    expect(await shown("OwnTracks", "password")).toBe(token);
    expect(await shown("Traccar Client", "server_url")).toContain(`token=${token}`);
    expect(await shown("OsmAnd", "web_address")).toContain("speed_ms={5}");
    const line = await shown("curl", "terminal");
    expect(await paste(line)).toMatchObject({ accepted: 1 });
    await makeTimersLast(page);
    await dialog.getByRole("button", { name: "Copy: For a terminal" }).click();
    await dialog.getByRole("button", { name: "Copied: For a terminal" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(line);
    await expectNoBarriers(page, "a token that was made");
    // The token cannot be lost by a slip.
    await page.keyboard.press("Escape");
    expect(await page.getByTestId("made-token").isVisible()).toBe(true);
    await page.getByLabel("I have stored the token").check();
    await page.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(token);

    await page.reload();
    await page.getByText("Sending", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Revoke Gateway North" }).click();
    await page.getByText("It is in use").waitFor();
    await expectNoBarriers(page, "revoking a token");
    await page.getByRole("button", { name: "Keep it" }).click();
    await expectFocus(page, /^Revoke$/);
    await page.getByRole("button", { name: "Revoke Gateway North" }).click();
    await page.getByRole("button", { name: "Revoke the token" }).click();
    await page.getByText("No token is active.").waitFor();
    await expectFocus(page, /^Trackers$/);
    // The ingest side may know it for half a second more.
    let answer = await paste(line);
    while (answer.error === undefined) answer = await paste(line);
    expect(answer.error.code).toBe("INVALID_INGEST_TOKEN");
    await page.getByLabel("Show 1 revoked").check();
    await page.getByText("Revoked", { exact: true }).waitFor();
    await expectNoBarriers(page, "trackers");
  });

  test("the lines fit on a phone, and are nobody's but the owner's", async () => {
    const site = given();
    const options = { viewport: { width: 360, height: 740 }, locale: "de", colorScheme: "dark" } as const;
    const { page, leave } = await site.signedIn(undefined, options);
    await page.goto("/portal/fleet/trackers");
    await page.getByText("Zeilen zum Einfügen").waitFor();
    for (const way of ["Traccar", "Traccar Client", "OsmAnd", "OwnTracks", "curl"]) {
      await page.getByText(way, { exact: true }).click();
      expect([way, await overhang(page)]).toEqual([way, 0]);
    }
    await expectNoBarriers(page, "trackers on a phone");
    await leave();
    const sam = await site.signedIn(subAccountEmail);
    expect((await sam.page.request.get("/portal/api/fleet/tokens")).status()).toBe(403);
  });
}
