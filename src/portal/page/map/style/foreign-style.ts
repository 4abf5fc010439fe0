import type { StyleSpecification } from "maplibre-gl";

/** What a style uses for names without a font of their own. */
const defaultFonts = ["Open Sans Regular", "Arial Unicode MS Regular"];

/**
 * A style of another site, and the fonts for our own names on it. Its font server has the fonts that its own names use,
 * and perhaps no others. If it has no names, it is not asked: then our names are drawn with fonts of the viewer's system.
 */
export function withFonts(
  style: StyleSpecification,
  systemFonts: readonly string[],
): { readonly style: StyleSpecification; readonly fonts: readonly string[] } {
  if (style.glyphs === undefined) return { style, fonts: systemFonts };
  for (const layer of style.layers) {
    if (layer.type !== "symbol" || layer.layout?.["text-field"] === undefined) continue;
    const fonts = fontsIn(layer.layout["text-font"] ?? defaultFonts);
    if (fonts !== null) return { style, fonts };
  }
  const { glyphs: _, ...withoutGlyphs } = style;
  return { style: withoutGlyphs, fonts: systemFonts };
}

/** The first list of fonts in a value that may be an expression, such as one that depends on the zoom. */
function fontsIn(value: unknown): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  if (value[0] === "literal") return fontsIn(value[1]);
  const isList = value.every((item) => typeof item === "string");
  if (isList && !isExpression(value)) return value;
  for (const item of value) {
    const found = fontsIn(item);
    if (found !== null) return found;
  }
  return null;
}

/** `["get", "font"]` looks like a list of two fonts. */
function isExpression([operator]: readonly string[]): boolean {
  return operator !== undefined && /^[a-z-]+$/.test(operator) && operator !== "sans-serif" && operator !== "serif";
}
