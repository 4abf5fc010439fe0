import type { Detail } from "../../../both-sides/reading/show.ts";
import { useTexts } from "../../texts/use-texts.ts";
import { useClock } from "./clock.ts";

interface TimeProps {
  readonly at: string | number;
  readonly detail?: Detail;
  /** If given, the time is shown as an age at this moment, with the time itself in the tooltip. */
  readonly now?: number;
}

/** A time in the account's zone, with UTC on hover. For those who cannot hover, the menu switches all times to UTC. */
export function Time({ at, detail = "minute", now }: TimeProps) {
  const clock = useClock();
  const { show } = useTexts();
  const moment = new Date(at);
  const text = now === undefined ? show.time(+moment, detail) : show.age(now - +moment);
  const utc = `${moment.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const local = now === undefined ? "" : `${show.time(+moment, "second")}, `;
  return (
    <time dateTime={moment.toISOString()} title={clock === "utc" && now === undefined ? utc : local + utc}>
      {text}
    </time>
  );
}
