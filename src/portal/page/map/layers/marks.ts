import type { Map as GlMap } from "maplibre-gl";
import { motionShapes, motions, type ShownMotion } from "../../common/vehicles/motion.ts";
import { type MapTheme, mapThemes } from "../style/map-theme.ts";
import { arcsOf } from "./clusters.ts";

const sizePixels = 26;
const clusterPixels = 44;
const pixelRatio = 2;
const grid = 24;

/** The name of a ring is this, the theme, and the parts of each state in the order of `motions`. */
export const clusterKind = "cluster";

type Draw = (context: CanvasRenderingContext2D, theme: MapTheme) => void;

/** The name of a mark holds its theme: while light changes to dark, tiles of both are in use. */
export function markName({ name }: MapTheme, what: ShownMotion | "rejected" | "room" | ""): string {
  return `mark/${name}/${what}`;
}

/** Draws the marks of the states, of clusters and of a rejected frame when the map first needs them. */
export function drawMissingMarks(map: GlMap): void {
  map.setMissingStyleImageResolver((name) => {
    const [kind, themeName = "", what = "", ...others] = name.split("/");
    const theme = mapThemes.find((known) => known.name === themeName);
    if (!theme || map.hasImage(name)) return;
    const draw = drawings.get(what);
    if (kind === "mark" && draw) put(map, name, sizePixels, (context) => draw(context, theme));
    const parts = [what, ...others].map(Number);
    if (kind === clusterKind) put(map, name, clusterPixels, (context) => drawCluster(context, theme, parts));
  });
}

const drawings = new Map<string, Draw>([
  ...motions.map((motion): [string, Draw] => [motion, (context, theme) => drawMotion(context, theme, motion)]),
  ["rejected", drawRejected],
  // As large as a mark and empty: names leave its room free.
  ["room", () => {}],
]);

function drawMotion(context: CanvasRenderingContext2D, theme: MapTheme, motion: ShownMotion): void {
  const { body, sign } = motionShapes[motion];
  const colour = theme.motion[motion];
  const isHollow = motion === "offline";
  const path = new Path2D(body);
  context.lineWidth = 3.4;
  context.strokeStyle = theme.outline;
  context.stroke(path);
  context.fillStyle = isHollow ? theme.outline : colour;
  context.fill(path);
  context.lineWidth = 2.2;
  context.strokeStyle = isHollow ? colour : theme.outline;
  if (isHollow) context.stroke(path);
  context.stroke(new Path2D(sign));
}

function drawRejected(context: CanvasRenderingContext2D, theme: MapTheme): void {
  const cross = new Path2D("M7 7l10 10M17 7 7 17");
  context.lineWidth = 6;
  context.strokeStyle = theme.outline;
  context.stroke(cross);
  context.lineWidth = 2.8;
  context.strokeStyle = theme.rejected;
  context.stroke(cross);
}

function put(map: GlMap, name: string, size: number, draw: (context: CanvasRenderingContext2D) => void): void {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * pixelRatio;
  // It is read back at once: from the graphics card that would take a tenth of a second each.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return;
  context.scale((size * pixelRatio) / grid, (size * pixelRatio) / grid);
  context.lineJoin = context.lineCap = "round";
  draw(context);
  map.addImage(name, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio });
}

const middle = 12;
const radius = 9.4;
const width = 3.4;
const gapRadians = 0.1;

/**
 * How the arcs differ without colour, after the marks: moving is the full width, idling is cut by bars, stopped is half as
 * wide, offline is hollow.
 */
function drawCluster(context: CanvasRenderingContext2D, theme: MapTheme, parts: readonly number[]): void {
  context.lineCap = "butt";
  context.beginPath();
  context.arc(middle, middle, radius + width / 2 + 0.6, 0, 2 * Math.PI);
  context.fillStyle = theme.halo;
  context.fill();
  const arcs = arcsOf(parts);
  for (const { motion, from, to } of arcs) {
    const gap = arcs.length > 1 ? gapRadians / 2 : 0;
    const [start, end] = [angleOf(from) + gap, angleOf(to) - gap];
    const stroke = (atRadius: number, lineWidth: number, dash: number[] = []) => {
      context.beginPath();
      context.setLineDash(dash);
      context.arc(middle, middle, atRadius, start, end);
      context.strokeStyle = theme.motion[motion];
      context.lineWidth = lineWidth;
      context.stroke();
    };
    if (motion === "moving") stroke(radius, width);
    else if (motion === "idling") stroke(radius, width, [1.5, 0.9]);
    else if (motion === "stopped") stroke(radius - width / 4, width / 2);
    else for (const side of [-1, 1]) stroke(radius + (side * (width - 0.8)) / 2, 0.8);
  }
  context.setLineDash([]);
}

function angleOf(share: number): number {
  return (share * 2 - 0.5) * Math.PI;
}
