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
  /** What stands beside the pointer: a line for the moment, and one for each series that says something then. */
  readonly tipOf?: ((atSeconds: number) => readonly [moment: string, ...values: string[]]) | undefined;
}

/** A plot as wide as its place, with what the pointer is at. The same figures stand in a table beside it. */
export function PlotWithLegend({ label, heightPx, palettes, legend, draw, tipOf }: PlotProps) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const hasTip = tipOf !== undefined;
  const container = useRef<HTMLDivElement>(null);
  const widthPx = usePlotSize(container);
  const palette: Palette = palettes[useMapTheme().name];
  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const { data, ...options } = draw(axisColours(), (index) => palette[index % palette.length] ?? palette[0]);
    const size = { width: widthPx, height: heightPx };
    const plot = new uPlot(
      {
        ...size,
        ...options,
        legend: { show: false },
        cursor: hasTip ? { y: false, drag: { x: false, y: false } } : { show: false },
        hooks: { ...options.hooks, setCursor: [(present) => setHovered(hoveredOf(present))] },
      },
      data,
      container.current,
    );
    return () => plot.destroy();
  }, [draw, widthPx, heightPx, palette, hasTip]);
  return (
    <>
      <div className="anchor">
        <div ref={container} className="plot fit full clip" role="img" aria-label={label} />
        {tipOf && hovered && <PlotTip hovered={hovered} lines={tipOf(hovered.atSeconds)} widthPx={widthPx} />}
      </div>
      <ul className="flex wrap gap-2-4">
        {legend.map(({ key, text }, index) => (
          <li key={key} className="row gap-2 fine">
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

interface Hovered {
  readonly atSeconds: number;
  readonly leftPx: number;
}

function hoveredOf(plot: uPlot): Hovered | null {
  const { left = -1 } = plot.cursor;
  return left < 0 ? null : { atSeconds: plot.posToVal(left, "x"), leftPx: left + plot.over.offsetLeft };
}

interface PlotTipProps {
  readonly hovered: Hovered;
  readonly lines: readonly string[];
  readonly widthPx: number;
}

/** Hidden from screen readers: the table says the figures. */
function PlotTip({ hovered: { leftPx }, lines: [moment, ...values], widthPx }: PlotTipProps) {
  const side = leftPx > widthPx / 2 ? { right: widthPx - leftPx + 12 } : { left: leftPx + 12 };
  return (
    <div className="plot-tip grid fine one-line digits box" style={side} aria-hidden="true">
      <strong>{moment}</strong>
      {values.map((value) => (
        <span key={value}>{value}</span>
      ))}
    </div>
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
