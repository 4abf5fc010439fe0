import { useClock, viewerZone } from "./clock.ts";
import { type Detail, formatAge, formatTime } from "./format.ts";

interface TimeProps {
  readonly at: string | number;
  readonly detail?: Detail;
  /** Told as an age as of this moment; the time itself stands in the tooltip. */
  readonly now?: number;
}

/** A moment by the viewer's clock, with UTC on hover. Who cannot hover switches all of them to UTC in the menu. */
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
