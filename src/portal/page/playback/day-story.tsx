import { memo } from "react";
import type { Position, Trip } from "../api/records.ts";
import { formatDuration, formatKm, plural } from "../common/format.ts";
import { Time } from "../common/time.tsx";
import type { Stop } from "./day.ts";
import { rejectWords } from "./reject-words.ts";

interface DayStoryProps {
  readonly trips: readonly Trip[];
  readonly stops: readonly Stop[];
  readonly rejected: readonly Position[];
  readonly focused: string | null;
  /** Whether any place of the day is known. */
  readonly hasTrack: boolean;
  readonly onFocus: (tripId: string | null) => void;
  readonly onGoTo: (at: number) => void;
}

/** Why a trip ended. */
const endWords: Readonly<Record<string, string>> = {
  ignition_off: "engine off",
  stationary: "stood still",
  gap: "no reports",
  discontinuity: "found elsewhere",
};

/** More rejected frames than anybody reads one by one. */
const maxRejected = 200;

/** The events of the day in order; a click goes to that moment. Not rendered again while the day is played. */
export const DayStory = memo(function DayStory({
  trips,
  stops,
  rejected,
  focused,
  hasTrack,
  onFocus,
  onGoTo,
}: DayStoryProps) {
  return (
    <section className="story" aria-label="Trips and stops">
      {trips.length === 0 && (
        <p className="quiet">
          {hasTrack ? "No trip on this day: the vehicle stood still." : "No frame of this day could be believed."}
        </p>
      )}
      <ol className="story-list">
        {trips.map((trip, index) => {
          const stop = stops.find(({ from }) => from === Date.parse(trip.ended_at ?? ""));
          return [
            <li key={trip.trip_id}>
              <TripEntry
                trip={trip}
                number={index + 1}
                isFocused={focused === trip.trip_id}
                onClick={() => {
                  onFocus(focused === trip.trip_id ? null : trip.trip_id);
                  onGoTo(Date.parse(trip.started_at));
                }}
              />
            </li>,
            stop && (
              <li key={`stop ${stop.from}`} className="story-stop">
                <button type="button" className="story-entry" onClick={() => onGoTo(stop.from)}>
                  <span className="story-title">Stop</span>
                  <span className="story-times">
                    <Time at={stop.from} detail="time" /> – <Time at={stop.to} detail="time" />
                  </span>
                  <span className="quiet">{formatDuration((stop.to - stop.from) / 1000)}</span>
                </button>
              </li>
            ),
          ];
        })}
      </ol>
      {rejected.length > 0 && (
        <details className="rejected">
          <summary>{plural(rejected.length, "rejected frame")}, and why</summary>
          <ul>
            {rejected.slice(0, maxRejected).map((frame) => (
              <li key={`${frame.recorded_at} ${frame.received_at} ${frame.reject_reason}`}>
                <button type="button" className="story-entry" onClick={() => onGoTo(Date.parse(frame.recorded_at))}>
                  <span className="story-times">
                    <Time at={frame.recorded_at} detail="second" />
                  </span>
                  <span>{rejectWords(frame.reject_reason)}</span>
                </button>
              </li>
            ))}
          </ul>
          {rejected.length > maxRejected && <p className="quiet">And {rejected.length - maxRejected} more.</p>}
        </details>
      )}
    </section>
  );
});

interface TripEntryProps {
  readonly trip: Trip;
  readonly number: number;
  readonly isFocused: boolean;
  readonly onClick: () => void;
}

function TripEntry({ trip, number, isFocused, onClick }: TripEntryProps) {
  return (
    <button type="button" className="story-entry story-trip" aria-pressed={isFocused} onClick={onClick}>
      <span className="story-title">Trip {number}</span>
      <span className="story-times">
        <Time at={trip.started_at} detail="time" /> –{" "}
        {trip.ended_at === null ? "under way" : <Time at={trip.ended_at} detail="time" />}
      </span>
      <span className="quiet">
        {formatKm(trip.distance_km)} · {formatDuration(trip.duration_s)}
        {trip.end_reason !== null && ` · ${endWords[trip.end_reason] ?? trip.end_reason}`}
      </span>
    </button>
  );
}
