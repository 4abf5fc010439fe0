import { useCallback } from "react";
import uPlot from "uplot";
import type { Alert } from "../../../both-sides/contract/data.ts";
import { sensorName } from "../../../both-sides/reading/sensor-name.ts";
import { aligned, type SensorSeries, valueNear } from "../../../both-sides/reports/sensors/readings.ts";
import { type DrawPlot, PlotWithLegend } from "../../common/plots/plot.tsx";
import { useTexts } from "../../texts/use-texts.ts";

interface SensorPlotProps {
  readonly label: string;
  readonly series: readonly SensorSeries[];
  /** A metric value in the person's unit. */
  readonly inUnit: (value: number) => number;
  readonly unit: string;
  /** A metric value in words. */
  readonly text: (value: number) => string;
  readonly events: readonly Alert[];
}

const daySeconds = 86_400;

/** From dark to light, so that neighbours differ in more than the hue. */
const palettes = {
  light: ["#0b6e69", "#c78a2c", "#5b7fb5", "#9b6b9e"],
  dark: ["#4fd1c5", "#e9b872", "#8fb4e3", "#c79bd0"],
} as const;

export default function SensorPlot({ label, series, inUnit, unit, text, events }: SensorPlotProps) {
  const { alerts, show } = useTexts();
  const draw = useCallback<DrawPlot>(
    (axis, colourOf) => {
      const [times, ...values] = aligned(series);
      const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * daySeconds;
      const dayText = (seconds: number) => show.time(seconds * 1000, "day");
      // A day is named once; its other labels are times.
      const timeText = (seconds: number, index: number, ticks: readonly number[]) =>
        isLong && dayText(seconds) !== dayText(ticks[index - 1] ?? 0)
          ? dayText(seconds)
          : show.time(seconds * 1000, "time");
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
        hooks: { draw: [(plot) => drawEvents(plot, events)] },
        data: [times, ...values.map((own) => own.map((value) => (typeof value === "number" ? inUnit(value) : value)))],
      };
    },
    [series, show, inUnit, unit, events],
  );
  const legend = series.map(({ sensor }) => ({ key: sensor, text: sensorName(sensor, alerts) }));
  const tipOf = (atSeconds: number): [string, ...string[]] => [
    show.time(atSeconds * 1000, "minute"),
    ...series.flatMap((own) => {
      const value = valueNear(own, atSeconds);
      return value === null ? [] : `${sensorName(own.sensor, alerts)}: ${text(value)}`;
    }),
  ];
  return <PlotWithLegend {...{ label, palettes, legend, draw, tipOf }} heightPx={220} />;
}

/** A line through the plot and a triangle at its end: up where fuel came, down where it went. */
function drawEvents(plot: uPlot, events: readonly Alert[]): void {
  const { ctx, bbox } = plot;
  const style = getComputedStyle(document.documentElement);
  const size = 6 * devicePixelRatio;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const { alert_type, occurred_at } of events) {
    const x = Math.round(plot.valToPos(Date.parse(occurred_at) / 1000, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const isDrain = alert_type === "fuel_drain";
    const colour = style.getPropertyValue(isDrain ? "--danger" : "--success").trim();
    const [base, tip] = isDrain ? [bbox.top, bbox.top + 1.6 * size] : [bbox.top + 1.6 * size, bbox.top];
    ctx.fillStyle = colour;
    ctx.strokeStyle = colour;
    ctx.fill(new Path2D(`M${x - size} ${base}h${2 * size}L${x} ${tip}z`));
    ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.stroke(new Path2D(`M${x} ${bbox.top}v${bbox.height}`));
  }
  ctx.restore();
}
