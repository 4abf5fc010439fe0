import { memo, useMemo } from "react";
import type { SubAccount } from "../../both-sides/contract/people.ts";
import type { FleetVehicle } from "../../both-sides/contract/vehicles.ts";
import { Button } from "../common/elements/button.tsx";
import { Select } from "../common/fields/field.tsx";
import { SearchField } from "../common/fields/search-field.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { useNow } from "../common/reading/clock.ts";
import { Time } from "../common/reading/time.tsx";
import { SelectionBar, useSelection } from "../common/tables/selection.tsx";
import { useFirstRows } from "../common/tables/use-rows.tsx";
import { Choices } from "../common/vehicles/vehicle-filters.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { TrackerFaultLine } from "../tracker-faults/tracker-fault.tsx";
import type { SeveralKind } from "./several-dialog.tsx";
import { matchingVehicles, vehicleStatuses } from "./vehicle-records.ts";

/** The server takes as many in one request. */
const maxAtOnce = 1_000;

interface VehicleListProps {
  readonly vehicles: readonly FleetVehicle[];
  readonly people: readonly SubAccount[];
  readonly knownTags: readonly string[];
  readonly onEdit: (id: string) => void;
  readonly onSeveral: (kind: SeveralKind, ids: ReadonlySet<string>) => void;
}

/** The vehicles that fit the filters, and what can be done to those that are selected. */
export function VehicleList({ vehicles, people, knownTags, onEdit, onSeveral }: VehicleListProps) {
  const { vehicles: words, common, show } = useAdministrationTexts();
  const { get, all, set, query } = useAddress();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is what they read
  const filter = useMemo(
    () => ({
      search: get("search") ?? "",
      tags: all("tag"),
      status: vehicleStatuses.find((status) => status === get("status")) ?? null,
    }),
    [query],
  );
  const found = useMemo(() => matchingVehicles(vehicles, filter, show.compare), [vehicles, filter, show]);
  const { rows, more } = useFirstRows(found);
  const names = useMemo(() => new Map(people.map(({ user_id, name }) => [user_id, name])), [people]);
  // Nothing that is out of sight is changed.
  const selection = useSelection(useMemo(() => found.map(({ device_id }) => device_id), [found]));
  const actions: readonly (readonly [SeveralKind, string])[] = [
    ["tags", words.tags],
    ["status", words.statusColumn],
    ["people", words.assignSome],
  ];
  const allWords = common.vehicles(vehicles.length, show.number(vehicles.length));
  const statusOptions = [
    ["", words.anyStatus] as const,
    ...vehicleStatuses.map((name) => [name, words.status[name]] as const),
  ];
  return (
    <>
      <div className="filters vehicle-filters align-end">
        <SearchField
          label={common.searchVehicle}
          placeholder={common.nameOrPlate}
          value={filter.search}
          onChange={(search) => set({ search: search || null })}
        />
        <Select
          label={words.statusColumn}
          value={filter.status ?? ""}
          onChange={(status) => set({ status: status || null })}
          options={statusOptions}
        />
        {knownTags.length > 0 && (
          <Choices
            parameter="tag"
            label={common.tag}
            everything={common.allTags}
            options={knownTags.map((tag) => [tag, tag] as const)}
          />
        )}
      </div>
      <p className="list-status" aria-live="polite">
        {found.length === vehicles.length ? allWords : common.some(show.number(found.length), allWords)}
      </p>
      {found.length === 0 ? (
        <p className="quiet">{words.noneFits}</p>
      ) : (
        <>
          <SelectionBar selection={selection} words={words}>
            {selection.ids.size > maxAtOnce ? (
              <span className="quiet">{words.atMost(show.number(maxAtOnce))}</span>
            ) : (
              actions.map(([kind, text]) => (
                <button
                  key={kind}
                  type="button"
                  className="button button-small"
                  onClick={() => onSeveral(kind, selection.ids)}
                >
                  {text}…
                </button>
              ))
            )}
          </SelectionBar>
          <VehicleTable
            vehicles={rows}
            selected={selection.ids}
            names={names}
            onSelect={selection.toggle}
            onEdit={onEdit}
          />
        </>
      )}
      {more}
    </>
  );
}

interface VehicleTableProps {
  readonly vehicles: readonly FleetVehicle[];
  readonly selected: ReadonlySet<string>;
  readonly names: ReadonlyMap<string, string>;
  readonly onSelect: (id: string) => void;
  readonly onEdit: (id: string) => void;
}

function VehicleTable({ vehicles, selected, names, onSelect, onEdit }: VehicleTableProps) {
  const { vehicles: words, common } = useAdministrationTexts();
  const now = useNow(30_000);
  return (
    <div className="table-frame panel">
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
  const { device_id: id, name, plate, status, tags, imei, tracker_id, tracker_model, user_ids, last_seen_at } = vehicle;
  const kind = [vehicle.vehicle_make, vehicle.vehicle_model, vehicle.vehicle_year].filter((part) => part !== null);
  const people = user_ids.flatMap((user) => names.get(user) ?? []).sort(show.compare);
  return (
    <tr data-selected={isSelected}>
      <td className="vehicle-select">
        <input type="checkbox" aria-label={words.select(name)} checked={isSelected} onChange={() => onSelect(id)} />
      </td>
      <th scope="row">
        <span className="vehicle-title block break">{name}</span>
        <span className="hint">{[plate, kind.join(" ")].filter(Boolean).join(" · ")}</span>
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
          {tracker_id !== null && <code className="hint block">{tracker_id}</code>}
          {tracker_model !== null && <span className="hint block">{tracker_model}</span>}
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
          <Button look="small" text={words.edit} aria-label={words.editWhat(name)} onClick={() => onEdit(id)} />
        </div>
      </td>
    </tr>
  );
});
