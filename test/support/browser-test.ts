import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browsersLost, describeTakenScreens, leaveScreens } from "./browser.ts";
import { patienceMs } from "./patience.ts";
import { type PortalSite, startPortalSite } from "./portal-site.ts";

/** One program, one fleet and one browser for all tests of a file: to start these takes longer than most of the tests. */
export function describeInBrowser(tests: (given: () => PortalSite) => void): void {
  let site: PortalSite;
  beforeAll(async () => {
    site = await startPortalSite();
  }, patienceMs);
  afterAll(async () => {
    const faults = site.faults();
    await site.close();
    expect(faults).toEqual([]);
  });
  describe("in a browser", () => tests(() => site));
}

/** A test that is done once more if the browser ended in the middle of it, which a machine short of memory makes it do. */
export function testInBrowser(name: string, work: () => Promise<void>): void {
  test(name, async () => {
    const lostBefore = browsersLost();
    try {
      await work();
    } catch (error) {
      const seen = await describeTakenScreens();
      if (browsersLost() === lostBefore) {
        console.error(seen);
        throw error;
      }
      await work();
    }
    await leaveScreens();
  });
}
