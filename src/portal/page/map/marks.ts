import type { Map as GlMap } from "maplibre-gl";
import type { MapTheme } from "./map-theme.ts";
import { motions } from "./motion.ts";
import { motionShapes } from "./motion-shapes.ts";

const size = 26;
const pixelRatio = 2;
const grid = 24;

export function markName(motion: string): string {
  return `mark-${motion}`;
}

/** Puts the marks of the states, and the one of a rejected frame, into the map's set of images. */
export function addMarks(map: GlMap, theme: MapTheme): void {
  for (const motion of motions) {
    const { body, sign } = motionShapes[motion];
    const isHollow = motion === "offline";
    put(map, markName(motion), (context) => {
      const path = new Path2D(body);
      context.lineWidth = 3.4;
      context.strokeStyle = theme.outline;
      context.stroke(path);
      context.fillStyle = isHollow ? theme.outline : theme.motion[motion];
      context.fill(path);
      if (isHollow) {
        context.lineWidth = 2.2;
        context.strokeStyle = theme.motion[motion];
        context.stroke(path);
      }
      context.lineWidth = 2.2;
      context.strokeStyle = isHollow ? theme.motion[motion] : theme.outline;
      context.stroke(new Path2D(sign));
    });
  }
  put(map, markName("rejected"), (context) => {
    const cross = new Path2D("M7 7l10 10M17 7 7 17");
    context.lineWidth = 6;
    context.strokeStyle = theme.outline;
    context.stroke(cross);
    context.lineWidth = 2.8;
    context.strokeStyle = theme.rejected;
    context.stroke(cross);
  });
}

function put(map: GlMap, name: string, draw: (context: CanvasRenderingContext2D) => void): void {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * pixelRatio;
  // Read back at once: drawn by the graphics card, that would take a tenth of a second each.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context || map.hasImage(name)) return;
  context.scale((size * pixelRatio) / grid, (size * pixelRatio) / grid);
  context.lineJoin = context.lineCap = "round";
  draw(context);
  map.addImage(name, context.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio });
}
