import { expect } from "bun:test";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = await Bun.file(createRequire(import.meta.url).resolve("axe-core/axe.min.js")).text();

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What somebody who cannot see, or not well, or has no mouse, would stumble over, however slightly. */
async function barriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Nothing of the page is on another origin, so there is nothing to load for the check.
  const options = { resultTypes: ["violations"], preload: false };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Finding[] };
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}

type Scheme = "light" | "dark";

/** Holds for what is shown at the moment, by all rules, in light and in dark: the page follows the system while it is open. */
export async function expectNoBarriers(
  page: Page,
  name: string,
  schemes: readonly Scheme[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const found = await barriers(page);
    expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
  }
}
