import { useState } from "react";
import { clockAt, momentOfClock, type Window } from "../../both-sides/periods/days.ts";
import { useTexts } from "../texts/use-texts.ts";

interface TimeFieldProps {
  readonly at: number;
  readonly window: Window;
  readonly onGoTo: (at: number) => void;
}

/** Goes to a time of the day. What is typed stays as it is until the field is left: the player may stop at another moment. */
export function TimeField({ at, window, onGoTo }: TimeFieldProps) {
  const { playback: words, show } = useTexts();
  const [typed, setTyped] = useState<string | null>(null);
  const type = (clock: string) => {
    setTyped(clock);
    if (clock !== "") onGoTo(momentOfClock(window, clock, show.zone));
  };
  return (
    <label className="player-time row gap-2 fine one-line">
      <span>{words.goToTime}</span>
      <input
        type="time"
        value={typed ?? clockAt(at, show.zone)}
        onChange={({ target }) => type(target.value)}
        onBlur={() => setTyped(null)}
      />
    </label>
  );
}
