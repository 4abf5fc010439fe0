import { expect } from "bun:test";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = await Bun.file(createRequire(import.meta.url).resolve("axe-core/axe.min.js")).text();

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

type Scheme = "light" | "dark";

/** All that the dark changes is colours. */
const rulesOfColour = ["color-contrast", "link-in-text-block"];

/**
 * Rows of a long list, in the page: those built like three before them. They have the same classes, roles and states, so
 * what holds for the first ones holds for them.
 */
const alike = `(() => {
  const telling = /^(class|role|style|type|disabled|checked|hidden|tabindex|data-.*|aria-(?!label$|labelledby$|describedby$|controls$).*)$/;
  const outlines = new Map();
  const outlineOf = (element) => {
    const own = [...element.attributes].filter(({ name }) => telling.test(name)).map(({ name, value }) => name + "=" + value);
    const outline = element.tagName + "[" + own.sort() + "](" + [...element.children].map(outlineOf) + ")";
    outlines.set(element, outline);
    return outline;
  };
  outlineOf(document.body);
  return [...document.body.querySelectorAll(":nth-child(4)")].flatMap(({ parentElement }) => {
    const counts = new Map();
    return [...parentElement.children].filter((child) => {
      const count = (counts.get(outlines.get(child)) ?? 0) + 1;
      counts.set(outlines.get(child), count);
      return count > 3;
    });
  });
})()`;

/**
 * What somebody who cannot see, or not well, or has no mouse, would stumble over, however slightly. Under an open dialog the
 * page cannot be reached: then only the dialog is looked at.
 */
async function barriers(page: Page, rules: readonly string[] | null): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Nothing of the page is on another origin, so there is nothing to load for the check.
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  // The rows that are left out stay in their places, but axe need not measure what cannot be seen.
  const found = await page.evaluate(`(async () => {
    const exclude = ${alike};
    for (const row of exclude) row.style.visibility = "hidden";
    const include = [document.querySelector("dialog[open]") ?? document];
    const { violations } = await axe.run({ include, exclude }, ${JSON.stringify(options)});
    for (const row of exclude) row.style.visibility = "";
    return violations;
  })()`);
  return (found as Finding[]).flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${impact} ${id}: ${html}\n${failureSummary}`),
  );
}

/**
 * Holds for what is shown at the moment, by all rules, in light and in dark: the page follows the system while it is open.
 * In the second of them only colours are looked at.
 */
export async function expectNoBarriers(
  page: Page,
  name: string,
  schemes: readonly Scheme[] = ["light", "dark"],
): Promise<void> {
  for (const [index, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme });
    const found = await barriers(page, index === 0 ? null : rulesOfColour);
    expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
  }
}
