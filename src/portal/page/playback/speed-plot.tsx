import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Position } from "../api/records.ts";
import { formatNumber } from "../common/format.ts";
import { axisColours, usePlotSize } from "../common/plot.ts";
import { useShow } from "../common/use-show.ts";
import { useMapTheme } from "../map/map-theme.ts";

interface SpeedPlotProps {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly at: number;
  readonly onSeek: (at: number) => void;
}

const heightPx = 150;

/** A longer silence is a gap in the line: nobody knows how fast the vehicle was. */
const gapMs = 10 * 60_000;

/** Speed over the day. A click goes to that moment; the slider above it does the same for the keyboard. */
export default function SpeedPlot({ track, rejected, at, onSeek }: SpeedPlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const widthPx = usePlotSize(container);
  const theme = useMapTheme();
  const { zone } = useShow();
  const data = useMemo(() => speedSeries(track, rejected), [track, rejected]);
  const seek = useRef(onSeek);
  seek.current = onSeek;
  const now = useRef(at);
  now.current = at;

  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const axis = axisColours();
    const made = new uPlot(
      {
        width: widthPx,
        height: heightPx,
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _min, max) => [0, Math.max(20, (max ?? 0) * 1.1)] } },
        axes: [
          { ...axis, size: 28, values: (_plot, ticks) => ticks.map((tick) => clockText(tick, zone)) },
          { ...axis, size: 44 },
        ],
        series: [
          {},
          { stroke: theme.route, width: 1.75, fill: `${theme.route}22`, points: { show: false }, spanGaps: false },
          {
            stroke: theme.rejected,
            width: 0,
            paths: () => null,
            points: { show: true, size: 6, fill: theme.rejected },
          },
        ],
        hooks: {
          draw: [(drawn) => drawNow(drawn, now.current, theme.motion.idling)],
        },
      },
      data,
      container.current,
    );
    made.over.addEventListener("click", () => {
      const { left } = made.cursor;
      if (left !== undefined && left >= 0) seek.current(made.posToVal(left, "x") * 1000);
    });
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [data, widthPx, theme, zone]);

  useEffect(() => {
    if (at >= 0) plot.current?.redraw(false);
  }, [at]);

  const top = useMemo(() => track.reduce((max, { speed_kmh }) => Math.max(max, speed_kmh ?? 0), 0), [track]);
  return (
    <figure className="speed">
      <figcaption>
        Speed in km/h
        {rejected.length > 0 && <span className="speed-rejected">Rejected frame</span>}
      </figcaption>
      <div
        ref={container}
        className="plot"
        role="img"
        aria-label={`Plot of the speed over the day, up to ${formatNumber(top)} km/h`}
      />
    </figure>
  );
}

function speedSeries(track: readonly Position[], rejected: readonly Position[]): uPlot.AlignedData {
  const points: [at: number, speed: number | null, rejected: number | null][] = [];
  let before: number | null = null;
  for (const { recorded_at, speed_kmh } of track) {
    const moment = Date.parse(recorded_at);
    if (before !== null && moment - before > gapMs) points.push([(before + moment) / 2000, null, null]);
    points.push([moment / 1000, speed_kmh, null]);
    before = moment;
  }
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  for (const { recorded_at } of rejected) {
    const seconds = Date.parse(recorded_at) / 1000;
    if (seconds >= first && seconds <= last) points.push([seconds, null, 0]);
  }
  points.sort(([left], [right]) => left - right);
  return [points.map(([x]) => x), joinedOver(points), points.map(([, , y]) => y)];
}

/** A rejected frame makes no gap in the line: uPlot skips `undefined` and cuts at `null`. */
function joinedOver(
  points: readonly (readonly [number, number | null, number | null])[],
): (number | null | undefined)[] {
  return points.map(([, speed, mark]) => (mark === null ? speed : undefined));
}

function clockText(seconds: number, zone: string): string {
  return new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone });
}

function drawNow(plot: uPlot, at: number, colour: string): void {
  const x = Math.round(plot.valToPos(at / 1000, "x", true));
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
