import { test } from "bun:test";
import { browsersLost } from "./browser.ts";

/** A test that is done once more if the browser ended in the middle of it, which a machine short of memory makes it do. */
export function testInBrowser(name: string, work: () => Promise<void>): void {
  test(name, async () => {
    const lostBefore = browsersLost();
    try {
      await work();
    } catch (error) {
      if (browsersLost() === lostBefore) throw error;
      await work();
    }
  });
}
