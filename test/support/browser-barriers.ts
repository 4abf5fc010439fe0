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
 * What has text or can be typed into, in the page: the first of all that have the same colours, size and grounds below them.
 * What their contrast is decides it for the others. To measure it takes most of axe's time.
 */
const firstOfEachColour = `((within, hidden) => {
  const grounds = new Map([[null, ""]]);
  const groundOf = (element) => {
    const found = grounds.get(element);
    if (found !== undefined) return found;
    const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element);
    const isBare = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1" && filter === "none";
    const lies = /absolute|fixed|sticky/.test(position) ? position : "";
    const own = isBare ? lies : [backgroundColor, backgroundImage, opacity, filter, lies].join();
    const ground = own === "" ? groundOf(element.parentElement) : groundOf(element.parentElement) + " > " + own;
    grounds.set(element, ground);
    return ground;
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const seen = new Set();
  return [...within.querySelectorAll("*")].filter((element) => {
    if (!hasText(element) && !element.matches("input, select, textarea, a")) return false;
    if (!element.checkVisibility({ visibilityProperty: true }) || hidden.some((row) => row.contains(element))) return false;
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element);
    const isDisabled = element.closest(":disabled, [aria-disabled=true]") !== null;
    const colours = [color, fontSize, fontWeight, textShadow, textDecorationLine, element.tagName === "A", isDisabled, groundOf(element)].join();
    return !seen.has(colours) && seen.add(colours);
  });
})`;

/**
 * What a person who cannot see, or not well, or has no mouse, would stumble over, however slightly. Under an open dialog the
 * page cannot be reached: then only the dialog is looked at.
 */
async function barriers(page: Page, looksAt: "all" | "colours"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Nothing of the page is on another origin, so there is nothing to load for the check.
  const options = { resultTypes: ["violations"], preload: false };
  const withoutColours = { ...options, rules: Object.fromEntries(rulesOfColour.map((id) => [id, { enabled: false }])) };
  const colours = { ...options, runOnly: rulesOfColour };
  // The rows that are left out stay in their places, but axe need not measure what cannot be seen.
  const found = await page.evaluate(`(async () => {
    const exclude = ${alike};
    for (const row of exclude) row.style.visibility = "hidden";
    const within = document.querySelector("dialog[open]") ?? document;
    const coloured = ${firstOfEachColour}(within, exclude);
    const results = [
      ${looksAt === "all" ? `await axe.run({ include: [within], exclude }, ${JSON.stringify(withoutColours)}),` : ""}
      ...(coloured.length > 0 ? [await axe.run({ include: coloured, exclude }, ${JSON.stringify(colours)})] : []),
    ];
    for (const row of exclude) row.style.visibility = "";
    return results.flatMap(({ violations }) => violations);
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
    const found = await barriers(page, index === 0 ? "all" : "colours");
    expect({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
  }
}
