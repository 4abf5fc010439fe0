import { expect, test } from "bun:test";
import { stylesheet } from "../../src/api/reference/stylesheet.ts";

/** What WCAG 2.2 asks for text (level AA). */
const leastContrast = 4.5;

/** Colours that words have, and what they stand on. */
const inks = ["ink", "soft", "accent", "string", "number", "literal", "danger"];
const papers = ["paper", "panel"];

/** The colours of the light theme, and those of the dark one. */
function themes(css: string): Map<string, string>[] {
  return [...css.matchAll(/:root \{([^}]*)\}/g)].map(
    ([, block = ""]) =>
      new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", hex = ""]) => [name, hex])),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
}

test("words stand out from what they stand on, in light and in dark", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  const found = themes(stylesheet);
  expect(found).toHaveLength(2);
  for (const theme of found) {
    const colour = (name: string) => theme.get(name) ?? "";
    for (const ink of inks) {
      for (const paper of papers) {
        expect(contrast(colour(ink), colour(paper)), `${ink} on ${paper}`).toBeGreaterThan(leastContrast);
      }
    }
    for (const [ink, paper] of [
      ["ink", "accent-wash"],
      ["accent", "accent-wash"],
      ["on-accent", "accent"],
      ["ink", "found"],
    ] as const) {
      expect(contrast(colour(ink), colour(paper)), `${ink} on ${paper}`).toBeGreaterThan(leastContrast);
    }
    for (const ink of ["ink", "soft"]) {
      expect(contrast(colour(ink), colour("mark")), `${ink} on mark`).toBeGreaterThan(leastContrast);
    }
  }
});
