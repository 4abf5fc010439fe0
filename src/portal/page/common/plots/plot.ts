import { type RefObject, useEffect, useState } from "react";

/** The width of the element, updated with every change. 0 until it is known. */
export function usePlotSize(container: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!container.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(container.current);
    return () => observer.disconnect();
  }, [container]);
  return width;
}

/** Axes in the colours of the page: a canvas does not know them by itself. */
export function axisColours() {
  const style = getComputedStyle(document.documentElement);
  const line = style.getPropertyValue("--line").trim();
  const text = style.getPropertyValue("--text-2").trim();
  const font = `12px ${style.getPropertyValue("--font").trim()}`;
  return { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
}
