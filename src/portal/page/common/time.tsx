import { useClock, viewerZone } from "./clock.ts";
import { type Detail, formatAge, formatTime } from "./format.ts";

interface TimeProps {
  readonly at: string | number;
  readonly detail?: Detail;
  /** If given, the time is shown as an age at this moment, with the time itself in the tooltip. */
  readonly now?: number;
}

/** A time in the viewer's zone, with UTC on hover. For those who cannot hover, the menu switches all times to UTC. */
export function Time({ at, detail = "minute", now }: TimeProps) {
  const clock = useClock();
  const moment = new Date(at);
  const zone = clock === "utc" ? "UTC" : viewerZone;
  const text = now === undefined ? formatTime(+moment, detail, zone) : formatAge(now - +moment);
  const utc = `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const local = now === undefined ? "" : `${formatTime(+moment, "second", zone)}, `;
  return (
    <time dateTime={moment.toISOString()} title={clock === "utc" && now === undefined ? utc : local + utc}>
      {text}
    </time>
  );
}
