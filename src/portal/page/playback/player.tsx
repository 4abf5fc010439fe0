import type { Position } from "../api/records.ts";
import { formatNumber, formatTime } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { type PlayerState, paces } from "./use-player.ts";

interface PlayerProps {
  readonly player: PlayerState;
  readonly current: Position | null;
  readonly begin: number;
  readonly end: number;
}

const sliderStepMs = 1000;

export function Player({ player, current, begin, end }: PlayerProps) {
  const { at, isPlaying, pace } = player;
  const { zone } = useShow();
  const speed = current?.speed_kmh ?? null;
  return (
    <div className="player">
      <button
        type="button"
        className="play-button"
        aria-label={isPlaying ? "Pause" : "Play"}
        onClick={isPlaying ? player.pause : player.play}
      >
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <p className="player-now">
        <strong>
          <Time at={Math.floor(at / 1000) * 1000} detail="clock" />
        </strong>
        <span>{speed === null ? "–" : `${formatNumber(speed)} km/h`}</span>
      </p>
      <input
        className="player-slider"
        type="range"
        aria-label="Time of the day"
        aria-valuetext={formatTime(at, "time", zone)}
        min={begin}
        max={end}
        step={sliderStepMs}
        value={at}
        onChange={(event) => player.seek(Number(event.target.value))}
      />
      <label className="player-pace">
        <span className="visually-hidden">Speed of the playback</span>
        <select value={pace} onChange={(event) => player.setPace(Number(event.target.value))}>
          {paces.map((choice) => (
            <option key={choice} value={choice}>
              {choice}×
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
