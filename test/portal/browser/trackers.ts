import { expect } from "bun:test";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { expectFocus, makeTimersLast, overhang } from "../../support/browser-moves.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { subAccountEmail } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

/** As in a terminal. */
async function paste(line: string): Promise<{ accepted?: number; error?: { code: string } }> {
  const shell = Bun.spawn(["sh", "-c", line], { stdout: "pipe", stderr: "pipe" });
  return JSON.parse(await new Response(shell.stdout).text());
}

export function testTrackers(given: () => PortalSite): void {
  test("a token that was made sends what its line says, and nothing more once it is revoked", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page, leave } = await given().signedIn(undefined, { permissions });
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
    await leave();
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
    await sam.leave();
  });
}
