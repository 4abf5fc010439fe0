import { useSyncExternalStore } from "react";
import type { Motion } from "./motion.ts";

/** The colours of the map; a canvas cannot read them from the style sheet. */
export interface MapTheme {
  readonly name: "light" | "dark";
  readonly sea: string;
  readonly land: string;
  readonly border: string;
  readonly grid: string;
  /** Names of places, which stay in the background. */
  readonly label: string;
  /** Names of vehicles, to be read at a glance. */
  readonly text: string;
  readonly halo: string;
  readonly outline: string;
  readonly accent: string;
  readonly route: string;
  readonly rejected: string;
  readonly motion: Record<Motion, string>;
  /** Streets, and what is around them. */
  readonly streets: StreetColours;
  /** The fonts of all names. */
  readonly fonts: readonly string[];
}

interface StreetColours {
  readonly built: string;
  readonly works: string;
  readonly green: string;
  readonly airport: string;
  readonly runway: string;
  readonly building: string;
  readonly minor: string;
  readonly major: string;
  readonly edge: string;
  readonly highway: string;
  readonly highwayEdge: string;
  readonly rail: string;
  readonly name: string;
  readonly nameHalo: string;
  readonly number: string;
  readonly numberHalo: string;
  readonly waterName: string;
}

/** Fonts of the viewer's system: the map then needs no font files. */
const systemFonts = ["Helvetica Neue", "Arial", "sans-serif"];

const light: MapTheme = {
  name: "light",
  sea: "#dbe6ea",
  land: "#f6f7f4",
  border: "#b9c6cb",
  grid: "#d3dde0",
  label: "#5d6f78",
  text: "#22323a",
  halo: "#ffffff",
  outline: "#ffffff",
  accent: "#0b6e69",
  route: "#0b6e69",
  rejected: "#b42318",
  motion: { moving: "#0b7d5c", idling: "#b26a00", stopped: "#3d5a80", offline: "#7a8790" },
  streets: {
    built: "#eceeea",
    works: "#e4e3e8",
    green: "#dfead9",
    airport: "#e6e8ec",
    runway: "#d5d9de",
    building: "#dcdedb",
    minor: "#ffffff",
    major: "#ffffff",
    edge: "#c9d0d2",
    highway: "#f6d998",
    highwayEdge: "#cfa95a",
    rail: "#b3bbc0",
    name: "#55646b",
    nameHalo: "#ffffff",
    number: "#6b4e12",
    numberHalo: "#fbeccb",
    waterName: "#4a6f82",
  },
  fonts: systemFonts,
};

const dark: MapTheme = {
  name: "dark",
  sea: "#0d1418",
  land: "#182126",
  border: "#37464e",
  grid: "#1d282e",
  label: "#8b9ca5",
  text: "#e6eef2",
  halo: "#10181c",
  outline: "#0d1418",
  accent: "#4fd1c5",
  route: "#4fd1c5",
  rejected: "#ff8a7a",
  motion: { moving: "#3ddc97", idling: "#f5b14c", stopped: "#8fb4e3", offline: "#94a3ad" },
  streets: {
    built: "#1d282e",
    works: "#20272f",
    green: "#18281f",
    airport: "#1d2730",
    runway: "#2a353d",
    building: "#232e34",
    minor: "#2b383f",
    major: "#45565f",
    edge: "#10181c",
    highway: "#75653d",
    highwayEdge: "#12181b",
    rail: "#33424a",
    name: "#9fb0b8",
    nameHalo: "#131b20",
    number: "#e6cf9a",
    numberHalo: "#332c1c",
    waterName: "#7b98a8",
  },
  fonts: systemFonts,
};

export const mapThemes: readonly MapTheme[] = [light, dark];

const query = matchMedia("(prefers-color-scheme: dark)");

/** Follows the system's choice between light and dark while the page is open. */
export function useMapTheme(): MapTheme {
  const isDark = useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
  return isDark ? dark : light;
}
