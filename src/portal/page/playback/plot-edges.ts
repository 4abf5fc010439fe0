import type { CSSProperties } from "react";

/** What is beside the area in which the speed is drawn: the slider above it begins and ends where that area does. */
export const plotEdges = { leftPx: 44, rightPx: 18 } as const;

export const plotEdgeStyle = {
  "--plot-left": `${plotEdges.leftPx}px`,
  "--plot-right": `${plotEdges.rightPx}px`,
} as CSSProperties;
