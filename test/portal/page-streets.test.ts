import { describe, expect, test } from "bun:test";
import type { StyleSpecification } from "maplibre-gl";
import { withFonts } from "../../src/portal/page/map/style/foreign-style.ts";

const own = ["Arial"];
const glyphs = "https://tiles.example/{fontstack}/{range}.pbf";

function styleWith(font: unknown, also: object = { glyphs }): StyleSpecification {
  const layout = { "text-field": ["get", "name"], ...(font === undefined ? {} : { "text-font": font }) };
  const layers = [
    { id: "ground", type: "background" },
    { id: "icons", type: "symbol", source: "a", layout: { "icon-image": "dot", "text-font": ["Unused"] } },
    { id: "names", type: "symbol", source: "a", layout },
  ];
  return { version: 8, sources: {}, layers, ...also } as StyleSpecification;
}

describe("our names on a style of another site", () => {
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ["a font of its own names", ["Noto Sans Regular"], ["Noto Sans Regular"]],
    ["several, in its order", ["Noto Sans Regular", "Fallback"], ["Noto Sans Regular", "Fallback"]],
    ["a literal", ["literal", ["Noto Sans Bold"]], ["Noto Sans Bold"]],
    ["the first of an expression", ["step", ["zoom"], ["literal", ["Far"]], 8, ["literal", ["Near"]]], ["Far"]],
    ["what styles use by default", undefined, ["Open Sans Regular", "Arial Unicode MS Regular"]],
  ];
  for (const [name, font, expected] of cases) {
    test(`use ${name}`, () => {
      const style = styleWith(font);
      expect(withFonts(style, own)).toEqual({ style, fonts: expected });
    });
  }

  test("use our own if the style has no font server", () => {
    const style = styleWith(["Whatever"], {});
    expect(withFonts(style, own)).toEqual({ style, fonts: own });
  });

  test("use our own, and ask for none of its fonts, if it has no names or their font depends on the data", () => {
    const nameless = { version: 8, glyphs, sources: {}, layers: [{ id: "ground", type: "background" }] };
    for (const style of [nameless as StyleSpecification, styleWith(["get", "font"])]) {
      const { style: changed, fonts } = withFonts(style, own);
      expect([changed.glyphs, fonts]).toEqual([undefined, own]);
      expect(changed.layers).toEqual(style.layers);
    }
  });
});
