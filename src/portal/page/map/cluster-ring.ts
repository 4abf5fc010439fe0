import type { MapTheme } from "./map-theme.ts";
import { type Motion, motions } from "./motion.ts";

/** A ring of arcs, one for each state that is in the cluster, from the top clockwise. */

/** A ring is divided into this many parts. */
export const ringParts = 12;

export const clusterKind = "cluster";

/** The beginning of the name of a picture; the parts of each state follow, in the order of `motions`. */
export function clusterImage({ name }: MapTheme): string {
  return `${clusterKind}/${name}`;
}

export interface Arc {
  readonly motion: Motion;
  /** Of the whole ring, from 0 to 1. */
  readonly from: number;
  readonly to: number;
}

/** Pure. The parts are rounded up, so together they may be more than the ring has. */
export function arcsOf(parts: readonly number[]): Arc[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  let from = 0;
  return motions.flatMap((motion, index) => {
    const share = (parts[index] ?? 0) / (total || 1);
    if (share === 0) return [];
    const arc = { motion, from, to: from + share };
    from = arc.to;
    return [arc];
  });
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
