import { shiftDay } from "../common/days.ts";
import { Icon } from "../common/icon.tsx";
import { useTexts } from "../texts/use-texts.ts";

interface DayPickerProps {
  readonly day: string;
  readonly latest: string;
  readonly onPick: (day: string) => void;
}

export function DayPicker({ day, latest, onPick }: DayPickerProps) {
  const { playback: words } = useTexts();
  return (
    <div className="day-picker">
      <button
        type="button"
        className="icon-button"
        aria-label={words.dayBefore}
        onClick={() => onPick(shiftDay(day, -1))}
      >
        <Icon name="left" />
      </button>
      <label>
        <span className="visually-hidden">{words.day}</span>
        <input type="date" value={day} max={latest} onChange={({ target }) => target.value && onPick(target.value)} />
      </label>
      <button
        type="button"
        className="icon-button"
        aria-label={words.dayAfter}
        disabled={day >= latest}
        onClick={() => onPick(shiftDay(day, 1))}
      >
        <Icon name="right" />
      </button>
    </div>
  );
}
