import { type ReactNode, useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useMapTheme } from "../../map/style/map-theme.ts";
import { axisColours, usePlotSize } from "./plot.ts";

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
