import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { Position } from "../../both-sides/contract/data.ts";
import { clockAt, type DayWindow, momentOfClock } from "../../both-sides/periods/days.ts";
import { frameHasPlace } from "../../both-sides/places/place-name.ts";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { Time } from "../common/reading/time.tsx";
import { usePlace } from "../places/place.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { type PlayerState, paces } from "./use-player.ts";

interface PlayerProps {
  readonly player: PlayerState;
  readonly current: Position | null;
  readonly begin: number;
  readonly end: number;
  /** The whole day. */
  readonly window: DayWindow;
  /** Whether the day goes on: at its end the player follows. */
  readonly isLive: boolean;
  /** A person has chosen a moment: the slider was let go, or the playing stopped. */
  readonly onRest: (at: number) => void;
}

const sliderStepMs = 1000;

export function Player({ player, current, begin, end, window, isLive, onRest }: PlayerProps) {
  const { at, isPlaying, pace } = player;
  const { playback: words, common, show } = useTexts();
  const speed = current?.speed_kmh ?? null;
  const place = usePlace(current && frameHasPlace(current) ? current : null, { isPassing: isPlaying });
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // What React calls a change is every step of the slider; the browser's own is when it is let go.
    const letGo = () => onRest(Number(slider.current?.value));
    const element = slider.current;
    element?.addEventListener("change", letGo);
    return () => element?.removeEventListener("change", letGo);
  }, [onRest]);
  const stopAt = (moment: number) => {
    player.pause();
    player.seek(moment);
    onRest(moment);
  };
  return (
    <div className="player grid middle">
      <button
        type="button"
        className="play-button"
        aria-label={isPlaying ? words.pause : words.play}
        onClick={isPlaying ? () => stopAt(at) : player.play}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <p className="player-now grid">
        <strong>
          <Time at={Math.floor(at / 1000) * 1000} detail="clock" />
        </strong>
        <span>{speed === null ? common.unknown : show.speed(speed)}</span>
      </p>
      {place !== null && <p className="player-place clip">{place}</p>}
      {isLive && (
        <Button
          look="small"
          className="player-latest"
          text={words.latest}
          aria-pressed={at >= end}
          onClick={() => stopAt(end)}
        />
      )}
      <TimeField at={at} window={window} onGoTo={(moment) => stopAt(Math.max(begin, Math.min(end, moment)))} />
      <label className="player-pace">
        <span className="visually-hidden">{words.pace}</span>
        <select value={pace} onChange={(event) => player.setPace(Number(event.target.value))}>
          {paces.map((choice) => (
            <option key={choice} value={choice}>
              {choice}×
            </option>
          ))}
        </select>
      </label>
      <input
        ref={slider}
        className="player-slider"
        type="range"
        aria-label={words.timeOfDay}
        aria-valuetext={show.time(at, "time")}
        min={begin}
        max={end}
        step={sliderStepMs}
        value={at}
        onChange={(event) => player.seek(Number(event.target.value))}
      />
    </div>
  );
}

/** What is beside the area in which the speed is drawn: the slider above it begins and ends where that area does. */
export const plotEdges = { leftPx: 44, rightPx: 18 } as const;

export const plotEdgeStyle = {
  "--plot-left": `${plotEdges.leftPx}px`,
  "--plot-right": `${plotEdges.rightPx}px`,
} as CSSProperties;

interface TimeFieldProps {
  readonly at: number;
  readonly window: DayWindow;
  readonly onGoTo: (at: number) => void;
}

/** Goes to a time of the day. What is typed stays as it is until the field is left: the player may stop at another moment. */
function TimeField({ at, window, onGoTo }: TimeFieldProps) {
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
