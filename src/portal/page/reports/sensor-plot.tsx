import { useCallback } from "react";
import uPlot from "uplot";
import { type DrawPlot, PlotWithLegend } from "../common/plots/plot.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { aligned, type SensorSeries } from "./readings.ts";

interface SensorPlotProps {
  readonly label: string;
  readonly series: readonly SensorSeries[];
  /** A metric value in the person's unit. */
  readonly inUnit: (value: number) => number;
  readonly unit: string;
}

const daySeconds = 86_400;

/** From dark to light, so that neighbours differ in more than the hue. */
const palettes = {
  light: ["#0b6e69", "#c78a2c", "#5b7fb5", "#9b6b9e"],
  dark: ["#4fd1c5", "#e9b872", "#8fb4e3", "#c79bd0"],
} as const;

export default function SensorPlot({ label, series, inUnit, unit }: SensorPlotProps) {
  const { show } = useTexts();
  const draw = useCallback<DrawPlot>(
    (axis, colourOf) => {
      const [times, ...values] = aligned(series);
      const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * daySeconds;
      const timeText = (seconds: number) => show.time(seconds * 1000, isLong ? "day" : "time");
      return {
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), show.zone),
        axes: [
          { ...axis, size: 30, space: 90, values: (_plot, ticks) => ticks.map(timeText) },
          { ...axis, size: 64, values: (_plot, ticks) => ticks.map((tick) => `${show.number(tick)} ${unit}`) },
        ],
        series: [
          {},
          ...values.map((_, index) => ({
            stroke: colourOf(index),
            width: 1.75,
            points: { show: false },
            spanGaps: false,
          })),
        ],
        data: [times, ...values.map((own) => own.map((value) => (typeof value === "number" ? inUnit(value) : value)))],
      };
    },
    [series, show, inUnit, unit],
  );
  const legend = series.map(({ sensor }) => ({ key: sensor, text: sensor }));
  return <PlotWithLegend label={label} heightPx={220} palettes={palettes} legend={legend} draw={draw} />;
}
