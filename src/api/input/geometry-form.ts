import type { RouteCall } from "../route.ts";
import { choiceParameter } from "./parameter.ts";

const form = choiceParameter(
  "geometry",
  ["own", "area"],
  "In GeoJSON: `area` gives circles as polygons of 64 corners, and corridors as what is around them, so that any program draws " +
    "them; `own` a circle as its centre and a corridor as its middle, with `radius_m` and `width_m`.",
  "own",
  "own",
);

export const geometryForm = { ...form, isInCursorIfGiven: true } as const;

export function geometryProblems({ input, format }: Pick<RouteCall, "input" | "format">): string[] {
  return input.get(geometryForm) === "area" && format !== "geojson"
    ? ["geometry: expected `area` in GeoJSON alone (`format=geojson`)"]
    : [];
}
