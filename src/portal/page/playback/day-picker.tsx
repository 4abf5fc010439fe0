import { Icon } from "../common/icon.tsx";
import { shiftDay } from "./day.ts";

interface DayPickerProps {
  readonly day: string;
  readonly latest: string;
  readonly onPick: (day: string) => void;
}

export function DayPicker({ day, latest, onPick }: DayPickerProps) {
  return (
    <div className="day-picker">
      <button
        type="button"
        className="icon-button"
        aria-label="The day before"
        onClick={() => onPick(shiftDay(day, -1))}
      >
        <Icon name="left" />
      </button>
      <label>
        <span className="visually-hidden">Day</span>
        <input type="date" value={day} max={latest} onChange={({ target }) => target.value && onPick(target.value)} />
      </label>
      <button
        type="button"
        className="icon-button"
        aria-label="The day after"
        disabled={day >= latest}
        onClick={() => onPick(shiftDay(day, 1))}
      >
        <Icon name="right" />
      </button>
    </div>
  );
}
