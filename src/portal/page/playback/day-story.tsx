import { memo, useRef } from "react";
import { alertSentence, typeWords } from "../alerts/alert-words.ts";
import { SeveritySign } from "../alerts/severity-sign.tsx";
import type { Alert, Position, Trip } from "../api/records.ts";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Stop, StoryEvent } from "./day.ts";
import { RejectedFrames } from "./rejected-frames.tsx";
import { StoryPlace, StoryWay } from "./story-place.tsx";
import { useShownEntry } from "./use-shown-entry.ts";

interface DayStoryProps {
  readonly events: readonly StoryEvent[];
  /** What happens at the moment that is shown; null: nothing of these. */
  readonly happening: StoryEvent | null;
  readonly rejected: readonly Position[];
  readonly focused: string | null;
  /** Whether any place of the day is known. */
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
    <section ref={story} className="story" aria-label={words.story}>
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
      <RejectedFrames frames={rejected} onGoTo={onGoTo} />
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
  const goTo = () => onGoTo(event.at);
  switch (event.kind) {
    case "trip": {
      const focus = () => {
        onFocus(isFocused ? null : event.trip.trip_id);
        goTo();
      };
      return (
        <li>
          <TripEntry trip={event.trip} number={event.number} isNow={isNow} isFocused={isFocused} onClick={focus} />
        </li>
      );
    }
    case "stop":
      return (
        <li className="story-stop">
          <StopEntry stop={event.stop} isNow={isNow} onClick={goTo} />
        </li>
      );
    case "alert":
      return (
        <li className={`story-alert severity-${event.alert.severity}`}>
          <AlertEntry alert={event.alert} isNow={isNow} onClick={goTo} />
        </li>
      );
  }
}

interface EntryProps {
  readonly isNow: boolean;
  readonly onClick: () => void;
}

interface TripEntryProps extends EntryProps {
  readonly trip: Trip;
  readonly number: number;
  readonly isFocused: boolean;
}

function TripEntry({ trip, number, isNow, isFocused, onClick }: TripEntryProps) {
  const { playback: words } = useTexts();
  const show = useShow();
  const endWords: Readonly<Record<string, string>> = words.endReasons;
  return (
    <button
      type="button"
      className="story-entry story-trip"
      aria-current={isNow || undefined}
      aria-pressed={isFocused}
      onClick={onClick}
    >
      <span className="story-title">{words.trip(show.number(number))}</span>
      <span className="story-times">
        <Time at={trip.started_at} detail="time" /> –{" "}
        {trip.ended_at === null ? words.underWay : <Time at={trip.ended_at} detail="time" />}
      </span>
      <span className="quiet">
        {show.distance(trip.distance_km)} · {show.duration(trip.duration_s)}
        {trip.end_reason !== null && ` · ${endWords[trip.end_reason] ?? trip.end_reason}`}
      </span>
      <StoryWay from={trip.start} to={trip.end} />
    </button>
  );
}

function StopEntry({ stop, isNow, onClick }: EntryProps & { readonly stop: Stop }) {
  const { playback: words } = useTexts();
  const show = useShow();
  return (
    <button type="button" className="story-entry" aria-current={isNow || undefined} onClick={onClick}>
      <span className="story-title">{words.stop}</span>
      <span className="story-times">
        <Time at={stop.from} detail="time" /> – <Time at={stop.to} detail="time" />
      </span>
      <span className="quiet">{show.duration((stop.to - stop.from) / 1000)}</span>
      <StoryPlace at={stop} />
    </button>
  );
}

function AlertEntry({ alert, isNow, onClick }: EntryProps & { readonly alert: Alert }) {
  const { alerts: words } = useTexts();
  const show = useShow();
  const sentence = alertSentence(alert, words, show);
  return (
    <button type="button" className="story-entry" aria-current={isNow || undefined} onClick={onClick}>
      <span className="story-title">
        <SeveritySign severity={alert.severity} />
        <span className="visually-hidden">{words.severities[alert.severity]}: </span>
        {typeWords(alert.alert_type, words)}
      </span>
      <span className="story-times">
        <Time at={alert.occurred_at} detail="time" />
      </span>
      {sentence !== null && <span className="quiet">{sentence}</span>}
    </button>
  );
}
