import { useCallback } from "react";
import uPlot from "uplot";
import { type DrawPlot, PlotWithLegend } from "../common/plots/plot.tsx";
import { useTexts } from "../texts/use-texts.ts";
import type { Series } from "./tally.ts";

interface UsagePlotProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

const halfDayS = 43_200;

/** From dark to light, so that neighbours differ in more than the hue. */
const palettes = {
  light: ["#0b6e69", "#2f9e8f", "#5b7fb5", "#c78a2c", "#9b6b9e", "#9aa7ae"],
  dark: ["#4fd1c5", "#2a9d8f", "#8fb4e3", "#e9b872", "#c79bd0", "#74838b"],
} as const;

/** One bar per day, stacked by endpoint. */
export default function UsagePlot({ days, series }: UsagePlotProps) {
  const { usage: words, show } = useTexts();
  const draw = useCallback<DrawPlot>(
    (axis, colourOf) => {
      const stacked = stack(series);
      return {
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
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
            fill: colourOf(stacked.length - 1 - index),
            width: 0,
            points: { show: false },
            paths: uPlot.paths.bars?.({ size: [0.7, 40], radius: index === 0 ? 0.15 : 0 }) as uPlot.Series.PathBuilder,
          })),
        ],
        data: [days.map((day) => Date.parse(day) / 1000), ...stacked],
      };
    },
    [days, series, show],
  );
  const busiest = Math.max(0, ...days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0)));
  return (
    <PlotWithLegend
      label={words.plot(show.number(days.length), show.number(busiest))}
      heightPx={240}
      palettes={palettes}
      legend={series.map(({ name }) => ({ key: name, text: <code>{name}</code> }))}
      draw={draw}
    />
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
