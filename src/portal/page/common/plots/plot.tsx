import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useMapTheme } from "../../map/style/map-theme.ts";

type Palette = readonly [string, ...string[]];

interface PlotOptions extends Omit<uPlot.Options, "width" | "height" | "legend" | "cursor"> {
  readonly data: uPlot.AlignedData;
}

export type DrawPlot = (axis: ReturnType<typeof axisColours>, colourOf: (index: number) => string) => PlotOptions;

interface PlotProps {
  readonly label: string;
  readonly heightPx: number;
  /** One colour for each entry of the legend; after the last one they begin anew. */
  readonly palettes: { readonly light: Palette; readonly dark: Palette };
  readonly legend: readonly { readonly key: string; readonly text: ReactNode }[];
  /** Wrap it in `useCallback`: another function draws the plot anew. */
  readonly draw: DrawPlot;
}

/** A plot that only shows something, as wide as its place. The same figures stand in a table beside it. */
export function PlotWithLegend({ label, heightPx, palettes, legend, draw }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const widthPx = usePlotSize(container);
  const palette: Palette = palettes[useMapTheme().name];
  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const { data, ...options } = draw(axisColours(), (index) => palette[index % palette.length] ?? palette[0]);
    const size = { width: widthPx, height: heightPx };
    const plot = new uPlot(
      { ...size, ...options, legend: { show: false }, cursor: { show: false } },
      data,
      container.current,
    );
    return () => plot.destroy();
  }, [draw, widthPx, heightPx, palette]);
  return (
    <>
      <div ref={container} className="plot" role="img" aria-label={label} />
      <ul className="legend">
        {legend.map(({ key, text }, index) => (
          <li key={key}>
            <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={palette[index % palette.length]} />
            </svg>
            {text}
          </li>
        ))}
      </ul>
    </>
  );
}

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
