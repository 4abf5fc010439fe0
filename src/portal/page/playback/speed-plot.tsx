import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Alert, Position } from "../../both-sides/contract/data.ts";
import { useMedia } from "../common/elements/use-media.ts";
import { axisColours, usePlotSize } from "../common/plots/plot.tsx";
import { useMapTheme } from "../map/style/map-theme.ts";
import { useTexts } from "../texts/use-texts.ts";
import { plotEdges } from "./player.tsx";
import { speedSeries } from "./speed-series.ts";

interface SpeedPlotProps {
  readonly track: readonly Position[];
  readonly rejected: readonly Position[];
  readonly alerts: readonly Alert[];
  /** Where the slider begins and ends, too. */
  readonly begin: number;
  readonly end: number;
  readonly at: number;
  readonly onSeek: (at: number) => void;
}

/** On a low screen the map needs the room more. The style sheet has the same bound. */
const lowScreen = matchMedia("(max-height: 50em)");
/** Above the plot: the marks of alerts have room there. */
const topPx = 14;

/** Speed over the day. A click goes to that moment; by keyboard, the slider above it does. */
export default function SpeedPlot({ track, rejected, alerts, begin, end, at, onSeek }: SpeedPlotProps) {
  const { playback: words, show } = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const widthPx = usePlotSize(container);
  const heightPx = useMedia(lowScreen) ? 104 : 140;
  const theme = useMapTheme();
  const data = useMemo(() => speedSeries(track, rejected, (kmh) => show.speedIn(kmh)), [track, rejected, show]);
  const seek = useRef(onSeek);
  seek.current = onSeek;
  /** What is drawn over the plot, and over which time: it changes without the plot being made anew. */
  const drawn = useRef({ at, alerts, begin, end });
  drawn.current = { at, alerts, begin, end };
  const first = useRef(data);
  first.current = data;

  useEffect(() => {
    if (!container.current || widthPx === 0) return;
    const axis = axisColours();
    const colours = severityColours();
    const made = new uPlot(
      {
        width: widthPx,
        height: heightPx,
        padding: [topPx, plotEdges.rightPx, 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), show.zone),
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: {
          x: { range: () => [drawn.current.begin / 1000, Math.max(drawn.current.end, drawn.current.begin + 1) / 1000] },
          y: { range: (_plot, _min, max) => [0, Math.max(20, (max ?? 0) * 1.1)] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            values: (_plot, ticks, _axis, _space, everySeconds) =>
              ticks.map((tick) => show.time(tick * 1000, everySeconds < 60 ? "clock" : "time")),
          },
          { ...axis, size: plotEdges.leftPx },
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
          draw: [
            (present) => {
              present.ctx.save();
              for (const alert of drawn.current.alerts) drawAlert(present, alert, colours[alert.severity]);
              drawNow(present, drawn.current.at, theme.motion.idling);
              present.ctx.restore();
            },
          ],
        },
      },
      first.current,
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
  }, [widthPx, heightPx, theme, show]);

  useEffect(() => plot.current?.setData(data), [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are drawn
  useEffect(() => plot.current?.redraw(false), [at, alerts]);

  const top = useMemo(() => track.reduce((max, { speed_kmh }) => Math.max(max, speed_kmh ?? 0), 0), [track]);
  return (
    <figure className="speed fit">
      <figcaption>
        {words.speedIn(show.speedUnit)}
        {rejected.length > 0 && <span className="speed-rejected">{words.rejectedFrame}</span>}
        {alerts.length > 0 && <span className="speed-alert">{words.alert}</span>}
      </figcaption>
      <div ref={container} className="plot fit full clip" role="img" aria-label={words.plotOfSpeed(show.speed(top))} />
    </figure>
  );
}

/** A canvas does not know the colours of the page by itself. */
function severityColours(): Readonly<Record<Alert["severity"], string>> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return { critical: colour("--danger"), warning: colour("--warning"), info: colour("--info") };
}

/** A triangle above the plot, pointing at the moment. */
function drawAlert(plot: uPlot, { occurred_at }: Alert, colour: string): void {
  const { ctx, bbox } = plot;
  const x = pixelOf(plot, Date.parse(occurred_at));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  const size = 5 * devicePixelRatio;
  const triangle = new Path2D(`M${x - size} ${bbox.top - 2 * size}h${2 * size}L${x} ${bbox.top}z`);
  ctx.fillStyle = colour;
  ctx.fill(triangle);
}

function drawNow(plot: uPlot, at: number, colour: string): void {
  const { ctx, bbox } = plot;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.stroke(new Path2D(`M${pixelOf(plot, at)} ${bbox.top}v${bbox.height}`));
}

function pixelOf(plot: uPlot, at: number): number {
  return Math.round(plot.valToPos(at / 1000, "x", true));
}
