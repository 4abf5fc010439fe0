import { test } from "bun:test";
import { browsersLost, describeTakenScreens } from "./browser.ts";

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
  });
}
