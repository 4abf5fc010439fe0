import type { Position } from "../api/records.ts";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { rejectWords } from "./reject-words.ts";

/** More rejected frames than anybody reads one by one. */
const maxRejected = 200;

interface RejectedFramesProps {
  readonly frames: readonly Position[];
  readonly onGoTo: (at: number) => void;
}

/** What the quality filter did not believe, and why. Nothing if it believed everything. */
export function RejectedFrames({ frames, onGoTo }: RejectedFramesProps) {
  const { playback: words } = useTexts();
  const show = useShow();
  if (frames.length === 0) return null;
  return (
    <details className="rejected">
      <summary>{words.rejectedAndWhy(frames.length, show.number(frames.length))}</summary>
      <ul>
        {frames.slice(0, maxRejected).map((frame) => (
          <li key={`${frame.recorded_at} ${frame.received_at} ${frame.reject_reason}`}>
            <button type="button" className="story-entry" onClick={() => onGoTo(Date.parse(frame.recorded_at))}>
              <span className="story-times">
                <Time at={frame.recorded_at} detail="second" />
              </span>
              <span>{rejectWords(frame.reject_reason, words)}</span>
            </button>
          </li>
        ))}
      </ul>
      {frames.length > maxRejected && (
        <p className="quiet">{words.andMore(show.number(frames.length - maxRejected))}</p>
      )}
    </details>
  );
}
