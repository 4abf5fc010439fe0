import { arcsOf } from "./cluster-arcs.ts";
import type { MapTheme } from "./map-theme.ts";

export const clusterKind = "cluster";

/** The beginning of the name of a picture; the parts of each state follow, in the order of `motions`. */
export function clusterImage({ name }: MapTheme): string {
  return `${clusterKind}/${name}`;
}

/** On the grid of marks. */
const middle = 12;
const radius = 9.4;
const width = 3.4;
const gapRadians = 0.1;

/**
 * How the arcs differ without colour, after the marks: moving is the full width, idling is cut by bars, stopped is half as
 * wide, offline is hollow.
 */
export function drawCluster(context: CanvasRenderingContext2D, theme: MapTheme, parts: readonly number[]): void {
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
