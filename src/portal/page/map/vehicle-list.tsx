import { memo, useState } from "react";
import { formatNumber, plural } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { Time } from "../common/time.tsx";
import { type Motion, motions, motionWords } from "./motion.ts";
import { MotionMark } from "./motion-mark.tsx";
import { countByMotion, type Vehicle } from "./vehicle.ts";

/** Nobody scrolls through more rows: the others are found by search. So the page stays fast with thousands of vehicles. */
const rowsAtOnce = 100;

interface VehicleListProps {
  readonly all: readonly Vehicle[];
  readonly shown: readonly Vehicle[];
  readonly now: number;
  /** Whether the server answered the last request. */
  readonly isLive: boolean;
  readonly filter: {
    readonly search: string;
    readonly motion: Motion | null;
    readonly setSearch: (search: string) => void;
    readonly setMotion: (motion: Motion | null) => void;
  };
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

export const VehicleList = memo(function VehicleList({
  all,
  shown,
  now,
  isLive,
  filter,
  selectedId,
  onSelect,
}: VehicleListProps) {
  const [rows, setRows] = useState(rowsAtOnce);
  const counts = countByMotion(all);
  return (
    <>
      <label className="search">
        <Icon name="search" />
        <span className="visually-hidden">Search by name, plate or IMEI</span>
        <input
          type="search"
          placeholder="Name, plate or IMEI"
          value={filter.search}
          onChange={(event) => filter.setSearch(event.target.value)}
        />
      </label>
      <fieldset className="chips">
        <legend className="visually-hidden">Show only</legend>
        {motions.map((motion) => (
          <button
            key={motion}
            type="button"
            className="chip"
            aria-pressed={filter.motion === motion}
            onClick={() => filter.setMotion(filter.motion === motion ? null : motion)}
          >
            <MotionMark motion={motion} />
            {motionWords[motion]}
            <span className="chip-count">{formatNumber(counts[motion])}</span>
          </button>
        ))}
      </fieldset>
      <p className="list-status" aria-live="polite">
        {shown.length === all.length
          ? plural(all.length, "vehicle")
          : `${formatNumber(shown.length)} of ${plural(all.length, "vehicle")}`}
        {isLive && (
          <span className="live" aria-hidden="true">
            Live
          </span>
        )}
      </p>
      {shown.length === 0 && <p className="quiet">None fits. Try fewer letters, or another state.</p>}
      <ul className="vehicles">
        {shown.slice(0, rows).map((vehicle) => (
          <VehicleRow
            key={vehicle.id}
            vehicle={vehicle}
            now={now}
            isSelected={vehicle.id === selectedId}
            onSelect={onSelect}
          />
        ))}
      </ul>
      {shown.length > rows && (
        <button type="button" className="button button-wide" onClick={() => setRows(rows + rowsAtOnce)}>
          Show {Math.min(rowsAtOnce, shown.length - rows)} more
        </button>
      )}
    </>
  );
});

interface VehicleRowProps {
  readonly vehicle: Vehicle;
  readonly now: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
}

function VehicleRow({ vehicle: { id, position, motion }, now, isSelected, onSelect }: VehicleRowProps) {
  return (
    <li>
      <button
        type="button"
        className="vehicle"
        aria-current={isSelected ? "true" : undefined}
        onClick={() => onSelect(id)}
      >
        <MotionMark motion={motion} heading={position.heading_deg} />
        <span className="vehicle-name">{position.name}</span>
        <span className="vehicle-plate">{position.plate ?? position.imei}</span>
        <span className="vehicle-state">
          <span className="visually-hidden">{motionWords[motion]}, </span>
          {motion === "moving" ? `${formatNumber(position.speed_kmh ?? 0)} km/h` : motionWords[motion]}
        </span>
        <span className="vehicle-age">
          <Time at={position.recorded_at} now={now} />
        </span>
      </button>
    </li>
  );
}
