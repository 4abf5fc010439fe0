export type PlaceKind = "depot" | "terminal" | "station" | "pound" | "rest" | "home" | "customer";

/** Name, kind, the street next to it (from and to), the fraction along it, and the distance from it (negative: left). */
export type FixedPlace = readonly [string, PlaceKind, string, string, number, number];

export const fixedPlaces: readonly FixedPlace[] = [
  ["North depot", "depot", "reinickendorf", "wittenau", 0.5, 260],
  ["South depot", "depot", "teltow", "grossbeeren", 0.72, -320],
  ["Cold store", "depot", "marzahn", "hellersdorf", 0.4, 280],
  ["Airport terminal", "terminal", "ber-terminal", "ber-exit", 0.25, -220],
  ["Central station", "terminal", "hauptbahnhof", "turmstrasse", 0.2, 140],
  ["Police pound", "pound", "rudow", "schoenefeld", 0.4, 210],
  ["Magdeburg yard", "rest", "magdeburg", "magdeburg-north", 0.3, 240],
  ["Leipzig yard", "rest", "leipzig", "leipzig-north", 0.35, -260],
  ["Cottbus yard", "rest", "cottbus", "cottbus-west", 0.4, 230],
  ["Frankfurt yard", "rest", "frankfurt-oder", "frankfurt-oder-exit", 0.5, -200],
  ["Station Wittenau", "station", "reinickendorf", "wittenau", 0.8, 60],
  ["Station Teltow", "station", "teltow", "grossbeeren", 0.3, -60],
  ["Station Marzahn", "station", "weissenseer-weg", "marzahn", 0.6, 60],
  ["Station Spandau", "station", "staaken", "spandau", 0.5, 60],
  ["Station Steglitz", "station", "innsbrucker", "steglitz", 0.5, -60],
  ["Station Adlershof", "station", "schoeneweide", "adlershof", 0.5, 60],
  ["Station Tempelhof", "station", "tempelhofer-damm", "mariendorf", 0.5, 60],
  ["Station Potsdam", "station", "potsdam", "michendorf-exit", 0.3, 60],
  ["Station Bernau", "station", "buch", "bernau", 0.6, -60],
  ["Station Nauen", "station", "spandau-exit", "nauen", 0.7, 60],
  ["Station Schoenefeld", "station", "rudow", "schoenefeld", 0.7, -60],
  ["Station Zossen", "station", "zossen", "rangsdorf-exit", 0.4, 60],
];
