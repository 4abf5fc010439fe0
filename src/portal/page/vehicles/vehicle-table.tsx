import { memo } from "react";
import { useNow } from "../common/clock.ts";
import { Time } from "../common/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TrackerFaultLine } from "../tracker-faults/tracker-fault.tsx";
import type { FleetVehicle } from "./vehicle-records.ts";

interface VehicleTableProps {
  readonly vehicles: readonly FleetVehicle[];
  readonly selected: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string>;
  readonly onSelect: (id: string) => void;
  readonly onEdit: (id: string) => void;
}

export function VehicleTable({ vehicles, selected, names, onSelect, onEdit }: VehicleTableProps) {
  const { vehicles: words, common } = useAdministrationTexts();
  const now = useNow(30_000);
  return (
    <div className="table-frame">
      <table className="table table-cards vehicle-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{common.vehicle}</th>
            <th scope="col">{words.statusColumn}</th>
            <th scope="col">{words.tags}</th>
            <th scope="col">{words.tracker}</th>
            <th scope="col">{words.seenBy}</th>
            <th scope="col">{words.lastReport}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {vehicles.map((vehicle) => (
            <VehicleRow
              key={vehicle.device_id}
              vehicle={vehicle}
              isSelected={selected.has(vehicle.device_id)}
              names={names}
              now={now}
              onSelect={onSelect}
              onEdit={onEdit}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps extends Pick<VehicleTableProps, "names" | "onSelect" | "onEdit"> {
  readonly vehicle: FleetVehicle;
  readonly isSelected: boolean;
  readonly now: number;
}

/** Named in a row without a click. */
const fewNames = 2;

const VehicleRow = memo(function VehicleRow({ vehicle, isSelected, names, now, onSelect, onEdit }: RowProps) {
  const { vehicles: words, show } = useAdministrationTexts();
  const { device_id: id, name, plate, status, tags, imei, tracker_model, user_ids, last_seen_at } = vehicle;
  const kind = [vehicle.vehicle_make, vehicle.vehicle_model, vehicle.vehicle_year].filter((part) => part !== null);
  const people = user_ids.flatMap((user) => names.get(user) ?? []).sort(show.compare);
  return (
    <tr data-selected={isSelected}>
      <td className="vehicle-select">
        <input type="checkbox" aria-label={words.select(name)} checked={isSelected} onChange={() => onSelect(id)} />
      </td>
      <th scope="row">
        <span className="vehicle-title">{name}</span>
        <span className="quiet small">{[plate, kind.join(" ")].filter(Boolean).join(" · ")}</span>
        <TrackerFaultLine deviceId={id} />
      </th>
      <td data-label={words.statusColumn}>
        <span className={`badge vehicle-${status}`}>{words.status[status]}</span>
      </td>
      <td data-label={words.tags}>
        <span className="tags">
          {tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
            </span>
          ))}
        </span>
      </td>
      <td data-label={words.tracker}>
        <span>
          <code>{imei}</code>
          {tracker_model !== null && <span className="quiet small vehicle-tracker">{tracker_model}</span>}
        </span>
      </td>
      <td data-label={words.seenBy}>
        {people.length === 0 ? (
          <span className="quiet">{words.onlyOwner}</span>
        ) : people.length <= fewNames ? (
          people.join(", ")
        ) : (
          <span title={people.join(", ")}>{words.people(people.length, show.number(people.length))}</span>
        )}
      </td>
      <td data-label={words.lastReport}>
        {last_seen_at === null ? (
          <span className="quiet">{words.neverReported}</span>
        ) : (
          <Time at={last_seen_at} now={now} />
        )}
      </td>
      <td>
        <div className="row-actions">
          <button
            type="button"
            className="button button-small"
            aria-label={words.editWhat(name)}
            onClick={() => onEdit(id)}
          >
            {words.edit}
          </button>
        </div>
      </td>
    </tr>
  );
});
