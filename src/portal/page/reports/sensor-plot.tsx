import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { axisColours, usePlotSize } from "../common/plot.ts";
import { useShow } from "../common/use-show.ts";
import { useMapTheme } from "../map/map-theme.ts";
import { aligned, type SensorSeries } from "./readings.ts";

interface SensorPlotProps {
  readonly label: string;
  readonly series: readonly SensorSeries[];
  /** A metric value in the person's unit. */
  readonly inUnit: (value: number) => number;
  readonly unit: string;
}

const heightPx = 220;
const daySeconds = 86_400;

/** From dark to light, so that neighbours differ in more than the hue. */
const colours = {
  light: ["#0b6e69", "#c78a2c", "#5b7fb5", "#9b6b9e"],
  dark: ["#4fd1c5", "#e9b872", "#8fb4e3", "#c79bd0"],
} as const;

/** The sensors of a vehicle over the period. The table below it has the figures. */
export default function SensorPlot({ label, series, inUnit, unit }: SensorPlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const widthPx = usePlotSize(container);
  const palette = colours[useMapTheme().name];
  const show = useShow();
  const data = useMemo(() => aligned(series), [series]);

  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const axis = axisColours();
    const [times, ...values] = data;
    const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * daySeconds;
    const timeText = (seconds: number) => show.time(seconds * 1000, isLong ? "day" : "time");
    const plot = new uPlot(
      {
        width: widthPx,
        height: heightPx,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), show.zone),
        legend: { show: false },
        cursor: { show: false },
        axes: [
          { ...axis, size: 30, space: 90, values: (_plot, ticks) => ticks.map(timeText) },
          { ...axis, size: 64, values: (_plot, ticks) => ticks.map((tick) => `${show.number(tick)} ${unit}`) },
        ],
        series: [
          {},
          ...values.map((_, index) => ({
            stroke: palette[index % palette.length] ?? palette[0],
            width: 1.75,
            points: { show: false },
            spanGaps: false,
          })),
        ],
      },
      [times, ...values.map((own) => own.map((value) => (typeof value === "number" ? inUnit(value) : value)))],
      container.current,
    );
    return () => plot.destroy();
  }, [data, widthPx, palette, show, inUnit, unit]);

  return (
    <>
      <div ref={container} className="plot" role="img" aria-label={label} />
      <ul className="legend">
        {series.map(({ sensor }, index) => (
          <li key={sensor}>
            <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" rx="2" fill={palette[index % palette.length]} />
            </svg>
            {sensor}
          </li>
        ))}
      </ul>
    </>
  );
}
