import { useMedia } from "../../common/elements/use-media.ts";
import type { ShownMotion } from "../../common/vehicles/motion.ts";

type Colours<Name extends string> = Readonly<Record<Name, readonly [light: string, dark: string]>>;

const colours = {
  sea: ["#dbe6ea", "#0d1418"],
  land: ["#f6f7f4", "#182126"],
  border: ["#b9c6cb", "#37464e"],
  grid: ["#d3dde0", "#1d282e"],
  /** Names of places, which stay in the background. */
  label: ["#5d6f78", "#8b9ca5"],
  /** Names of vehicles, to be read at a glance. */
  text: ["#22323a", "#e6eef2"],
  halo: ["#ffffff", "#10181c"],
  outline: ["#ffffff", "#0d1418"],
  accent: ["#0b6e69", "#4fd1c5"],
  route: ["#0b6e69", "#4fd1c5"],
  rejected: ["#b42318", "#ff8a7a"],
} as const;

const motionColours: Colours<ShownMotion> = {
  moving: ["#0b7d5c", "#3ddc97"],
  idling: ["#b26a00", "#f5b14c"],
  stopped: ["#3d5a80", "#8fb4e3"],
  offline: ["#7a8790", "#94a3ad"],
};

/** Streets, and what is around them. */
const streetColours = {
  built: ["#eceeea", "#1d282e"],
  works: ["#e4e3e8", "#20272f"],
  green: ["#dfead9", "#18281f"],
  airport: ["#e6e8ec", "#1d2730"],
  runway: ["#d5d9de", "#2a353d"],
  building: ["#dcdedb", "#232e34"],
  minor: ["#ffffff", "#2b383f"],
  major: ["#ffffff", "#45565f"],
  edge: ["#c9d0d2", "#10181c"],
  highway: ["#f6d998", "#75653d"],
  highwayEdge: ["#cfa95a", "#12181b"],
  rail: ["#b3bbc0", "#33424a"],
  name: ["#55646b", "#9fb0b8"],
  nameHalo: ["#ffffff", "#131b20"],
  number: ["#6b4e12", "#e6cf9a"],
  numberHalo: ["#fbeccb", "#332c1c"],
  waterName: ["#4a6f82", "#7b98a8"],
} as const;

/** The colours of the map; a canvas cannot read them from the style sheet. */
export interface MapTheme extends Readonly<Record<keyof typeof colours, string>> {
  readonly name: "light" | "dark";
  readonly motion: Readonly<Record<ShownMotion, string>>;
  readonly streets: Readonly<Record<keyof typeof streetColours, string>>;
  readonly fonts: readonly string[];
}

/** Fonts of the viewer's system: the map then needs no font files. */
const systemFonts = ["Helvetica Neue", "Arial", "sans-serif"];

const [light, dark] = [themeOf("light", 0), themeOf("dark", 1)];

export const mapThemes: readonly MapTheme[] = [light, dark];

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Follows the system's choice between light and dark while the page is open. */
export function useMapTheme(): MapTheme {
  return useMedia(prefersDark) ? dark : light;
}

function themeOf(name: MapTheme["name"], column: 0 | 1): MapTheme {
  const pick = <Name extends string>(table: Colours<Name>) =>
    Object.fromEntries(Object.keys(table).map((key) => [key, table[key as Name][column]])) as Record<Name, string>;
  return { name, ...pick(colours), motion: pick(motionColours), streets: pick(streetColours), fonts: systemFonts };
}
