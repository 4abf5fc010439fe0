import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisColours, usePlotSize } from "../common/plot.ts";
import { useShow } from "../common/use-show.ts";
import { useMapTheme } from "../map/map-theme.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Series } from "./tally.ts";

interface UsagePlotProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

const heightPx = 240;
const halfDayS = 43_200;

/** From dark to light, so that neighbours differ in more than the hue. */
const colours = {
  light: ["#0b6e69", "#2f9e8f", "#5b7fb5", "#c78a2c", "#9b6b9e", "#9aa7ae"],
  dark: ["#4fd1c5", "#2a9d8f", "#8fb4e3", "#e9b872", "#c79bd0", "#74838b"],
} as const;

/** One bar per day, stacked by endpoint. The tables below it have the same figures. */
export default function UsagePlot({ days, series }: UsagePlotProps) {
  const { usage: words } = useTexts();
  const show = useShow();
  const container = useRef<HTMLDivElement>(null);
  const widthPx = usePlotSize(container);
  const palette = colours[useMapTheme().name];

  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const axis = axisColours();
    const stacked = stack(series);
    const plot = new uPlot(
      {
        width: widthPx,
        height: heightPx,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        legend: { show: false },
        cursor: { show: false },
        scales: {
          // Half a day more at either end, so that the outer bars are not cut.
          x: { range: (_plot, first, last) => [(first ?? 0) - halfDayS, (last ?? 0) + halfDayS] },
          y: { range: (_plot, _min, max) => [0, Math.max(10, (max ?? 0) * 1.08)] },
        },
        axes: [
          {
            ...axis,
            size: 30,
            grid: { show: false },
            values: (_plot, ticks) => ticks.map((tick) => show.time(tick * 1000, "dayOfMonth", "UTC")),
          },
          { ...axis, size: 52, values: (_plot, ticks) => ticks.map((tick) => show.number(tick)) },
        ],
        series: [
          {},
          // The tallest is drawn first, so that each shorter bar covers its part of it.
          ...stacked.map((_, index) => ({
            fill: palette[stacked.length - 1 - index] ?? palette[0],
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars?.({ size: [0.7, 40], radius: index === 0 ? 0.15 : 0 }) as uPlot.Series.PathBuilder,
          })),
        ],
      },
      [days.map((day) => Date.parse(day) / 1000), ...stacked],
      container.current,
    );
    return () => plot.destroy();
  }, [days, series, widthPx, palette, show]);

  const busiest = Math.max(0, ...days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)));
  return (
    <>
      <div
        ref={container}
        className="plot"
        role="img"
        aria-label={words.plot(show.number(days.length), show.number(busiest))}
      />
      <ul className="legend">
        {series.map(({ name }, index) => (
          <li key={name}>
            <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={palette[index]} />
            </svg>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Sums from the bottom up, the tallest first. */
function stack(series: readonly Series[]): number[][] {
  const sums: number[][] = [];
  let below: readonly number[] = [];
  for (const { values } of series) {
    const sum = values.map((value, day) => value + (below[day] ?? 0));
    sums.push(sum);
    below = sum;
  }
  return sums.reverse();
}
