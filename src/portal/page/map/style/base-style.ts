import type { StyleSpecification } from "maplibre-gl";
import type { MapSettings } from "../../../both-sides/contract/session.ts";
import type { Texts } from "../../../both-sides/texts/texts.ts";
import { withFonts } from "./foreign-style.ts";
import type { MapTheme } from "./map-theme.ts";
import { streetStyle } from "./street-style.ts";
import { worldStyle } from "./world-style.ts";

export type MapProblem = "style" | "tiles";

/** The style of the settings if it can be loaded, else streets if there are any, else the map of the world. The theme has fonts that it can draw. */
export async function chooseStyle(
  settings: MapSettings,
  theme: MapTheme,
  language: string,
  { worldMakers, townMakers }: Pick<Texts["map"], "worldMakers" | "townMakers">,
): Promise<{ style: StyleSpecification; theme: MapTheme; problem: MapProblem | null }> {
  const url = (theme.name === "dark" ? settings.style_dark : null) ?? settings.style;
  if (url !== null) {
    const loaded = await loadStyle(url);
    if (loaded !== null) {
      const { style, fonts } = withFonts(loaded, theme.fonts);
      return { style, theme: { ...theme, fonts }, problem: null };
    }
  }
  const world = worldStyle(theme, worldMakers, townMakers);
  const style = settings.tiles ? streetStyle(world, theme, settings.tiles, language) : world;
  const problem = settings.problem ? "tiles" : null;
  return { style, theme, problem: url === null ? problem : "style" };
}

/** MapLibre reports nothing if a style cannot be loaded, and shows nothing. So we load it ourselves. */
async function loadStyle(url: string): Promise<StyleSpecification | null> {
  try {
    const answer = await fetch(url);
    const style = answer.ok ? await answer.json() : null;
    return Array.isArray(style?.layers) ? style : null;
  } catch {
    return null;
  }
}
