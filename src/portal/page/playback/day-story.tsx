import { memo, type ReactNode, type RefObject, useEffect, useRef } from "react";
import type { Place } from "../../../domain/geometry/distance.ts";
import { alertSentence, typeWords } from "../../both-sides/alerts/alert-words.ts";
import type { Position } from "../../both-sides/contract/data.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import { Time } from "../common/reading/time.tsx";
import { usePlace } from "../places/place.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { rejectWords, type StoryEvent } from "./day.ts";
import { scrollNeeded } from "./scroll-needed.ts";

interface DayStoryProps {
  readonly events: readonly StoryEvent[];
  /** What happens at the moment that is shown; null: nothing of these. */
  readonly happening: StoryEvent | null;
  readonly rejected: readonly Position[];
  readonly focused: string | null;
  readonly hasTrack: boolean;
  readonly onFocus: (tripId: string | null) => void;
  readonly onGoTo: (at: number) => void;
}

/** The events of the day in order; a click goes to that moment. While the day is played it is rendered only for another event. */
export const DayStory = memo(function DayStory(props: DayStoryProps) {
  const { events, happening, rejected, focused, hasTrack, onFocus, onGoTo } = props;
  const { playback: words } = useTexts();
  const hasTrip = events.some(({ kind }) => kind === "trip");
  const story = useRef<HTMLElement>(null);
  useShownEntry(story, happening && keyOf(happening), useFences() !== null);
  return (
    <section ref={story} className="story grid gap-3 panel pack" aria-label={words.story}>
      {!hasTrip && <p className="quiet">{hasTrack ? words.stoodStill : words.nothingBelieved}</p>}
      <ol className="story-list">
        {events.map((event) => (
          <StoryItem
            key={keyOf(event)}
            event={event}
            isNow={event === happening}
            isFocused={event.kind === "trip" && event.trip.trip_id === focused}
            onFocus={onFocus}
            onGoTo={onGoTo}
          />
        ))}
      </ol>
      <RejectedFrames rejected={rejected} onGoTo={onGoTo} />
    </section>
  );
});

function keyOf(event: StoryEvent): string {
  switch (event.kind) {
    case "trip":
      return event.trip.trip_id;
    case "stop":
      return `stop ${event.at}`;
    case "alert":
      return event.alert.alert_id;
  }
}

interface StoryItemProps extends Pick<DayStoryProps, "onFocus" | "onGoTo"> {
  readonly event: StoryEvent;
  readonly isNow: boolean;
  readonly isFocused: boolean;
}

function StoryItem({ event, isNow, isFocused, onFocus, onGoTo }: StoryItemProps) {
  const { playback: words, alerts, reports, show } = useTexts();
  const entry = { from: event.at, isNow, onClick: () => onGoTo(event.at) };
  switch (event.kind) {
    case "trip": {
      const { trip_id, ended_at, distance_km, is_carried, carried_km, duration_s, end_reason, start, end } = event.trip;
      const endWords: Readonly<Record<string, string>> = words.endReasons;
      const focus = () => {
        onFocus(isFocused ? null : trip_id);
        onGoTo(event.at);
      };
      return (
        <li>
          <Entry
            {...entry}
            title={words.trip(show.number(event.number))}
            to={ended_at === null ? reports.underWay : <Time at={ended_at} detail="time" />}
            isFocused={isFocused}
            onClick={focus}
          >
            <span className="quiet">
              {is_carried ? reports.carried(show.distance(carried_km ?? 0)) : show.distance(distance_km)} ·{" "}
              {show.duration(duration_s)}
              {end_reason !== null &&
                end_reason !== "ignition_off" &&
                ` · ${words.ended(endWords[end_reason] ?? end_reason)}`}
            </span>
            <StoryWay from={start} to={end} />
          </Entry>
        </li>
      );
    }
    case "stop": {
      const { stop } = event;
      return (
        <li className="story-stop">
          <Entry {...entry} title={words.stop} to={<Time at={stop.to} detail="time" />}>
            <span className="quiet">{show.duration((stop.to - stop.from) / 1000)}</span>
            <StoryPlace at={stop} />
          </Entry>
        </li>
      );
    }
    case "alert": {
      const { alert } = event;
      const sentence = alertSentence(alert, alerts, show);
      const title = (
        <>
          <SeveritySign severity={alert.severity} />
          <span className="visually-hidden">{alerts.severities[alert.severity]}: </span>
          {typeWords(alert.alert_type, alerts)}
        </>
      );
      return (
        <li className={`story-alert severity-${alert.severity}`}>
          <Entry {...entry} title={title}>
            {sentence !== null && <span className="quiet">{sentence}</span>}
          </Entry>
        </li>
      );
    }
  }
}

interface EntryProps {
  readonly title: ReactNode;
  readonly from: number;
  readonly to?: ReactNode;
  readonly isNow: boolean;
  /** Of a trip, which can be focused. */
  readonly isFocused?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Entry({ title, from, to, isNow, isFocused, onClick, children }: EntryProps) {
  return (
    <button
      type="button"
      className={isFocused === undefined ? "story-entry" : "story-entry story-trip"}
      aria-current={isNow || undefined}
      aria-pressed={isFocused}
      onClick={onClick}
    >
      <span className="story-title">{title}</span>
      <span className="story-times">
        <Time at={from} detail="time" />
        {to !== undefined && <> – {to}</>}
      </span>
      {children}
    </button>
  );
}

/** More rejected frames than anybody reads one by one. */
const maxRejected = 200;

/** What the quality filter did not believe, and why. Nothing if it believed everything. */
function RejectedFrames({ rejected, onGoTo }: Pick<DayStoryProps, "rejected" | "onGoTo">) {
  const { playback: words, show } = useTexts();
  if (rejected.length === 0) return null;
  return (
    <details className="rejected">
      <summary>{words.rejectedAndWhy(rejected.length, show.number(rejected.length))}</summary>
      <ul>
        {rejected.slice(0, maxRejected).map((frame) => (
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
      {rejected.length > maxRejected && (
        <p className="quiet">{words.andMore(show.number(rejected.length - maxRejected))}</p>
      )}
    </details>
  );
}

/** Where it was; nothing where no place has a name. */
function StoryPlace({ at }: { readonly at: Place }) {
  const name = usePlace(at);
  return name === null ? null : <span className="story-place">{name}</span>;
}

interface StoryWayProps {
  readonly from: Place | null;
  /** Null: not there yet. */
  readonly to: Place | null;
}

/** From where to where; nothing where no place has a name. */
function StoryWay({ from, to }: StoryWayProps) {
  const { playback: words } = useTexts();
  const [start, end] = [usePlace(from), usePlace(to)];
  if (start === null && end === null) return null;
  const way = end === null ? words.wayFrom(start ?? "") : start === null ? words.wayTo(end) : `${start} – ${end}`;
  return <span className="story-place">{way}</span>;
}

/**
 * Scrolls the list to the entry of the moment whenever that is another one. Only the list scrolls, never the page; and
 * not while a person goes through it by keyboard.
 */
function useShownEntry(list: RefObject<HTMLElement | null>, entry: string | null, isComplete: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: names of places that come later make the entries higher
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    if (!list.current || !shown || list.current.contains(document.activeElement)) return;
    const [outer, inner] = [list.current.getBoundingClientRect(), shown.getBoundingClientRect()];
    const top = scrollNeeded(outer, inner);
    if (top === 0) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    list.current.scrollBy({ top, behavior: isCalm ? "instant" : "smooth" });
  }, [list, entry, isComplete]);
}
