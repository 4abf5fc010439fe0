import { expect } from "bun:test";
import { formatInstant } from "../../../src/domain/time.ts";
import { expectNoBarriers } from "../../support/browser-barriers.ts";
import { testInBrowser as test } from "../../support/browser-test.ts";
import { playedBack } from "../../support/portal-fleet.ts";
import type { PortalSite } from "../../support/portal-site.ts";

const dayMs = 86_400_000;

export function testPlayback(given: () => PortalSite): void {
  test("playback shows the day: its trips, its stops, what was rejected and why, and the speed", async () => {
    const site = given();
    const { page, leave } = await site.signedIn();
    const day = formatInstant(site.now - dayMs).slice(0, 10);
    await page.goto(`/portal/map/${playedBack.id}?day=${day}`);
    await page.getByRole("heading", { name: playedBack.name }).waitFor();
    await page.locator("[data-map=ready]").waitFor();
    expect(await page.locator(".story-trip").count()).toBe(4);
    expect(await page.locator(".story-stop").count()).toBe(3);
    await page.getByText(/rejected frames, and why/).click();
    await page.getByText("The coordinates are 0, 0").waitFor();
    await page.getByText("The tracker had no satellite fix").first().waitFor();
    await page.getByText("An implausible jump").first().waitFor();
    await page.getByRole("img", { name: /Plot of the speed/ }).waitFor();
    // To draw the map once more takes seconds; the dark is looked at without it.
    await expectNoBarriers(page, "playback", ["light"]);

    const slider = page.getByLabel("Time of the day");
    const begin = await slider.getAttribute("aria-valuetext");
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator(`.player-slider:not([aria-valuetext="${begin}"])`).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: /^Trip 3/ }).click();
    expect(await slider.getAttribute("aria-valuetext")).toMatch(/^1\d:\d\d$/);

    await page.getByRole("button", { name: "The day before" }).first().click();
    await page.getByText("Nothing was reported on this day").waitFor();
    await expectNoBarriers(page, "a day without a frame");
    await leave();
  });
}
