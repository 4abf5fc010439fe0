import { useMemo } from "react";
import type { SubAccount } from "../../records/portal-records.ts";
import { Select } from "../common/fields/field.tsx";
import { SearchField } from "../common/fields/search-field.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { SelectionBar, useSelection } from "../common/tables/selection.tsx";
import { useRows } from "../common/tables/use-rows.tsx";
import { Choices } from "../common/vehicles/vehicle-filters.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { SeveralKind } from "./several-dialog.tsx";
import { matchingVehicles } from "./vehicle-filter.ts";
import { type FleetVehicle, vehicleStatuses } from "./vehicle-records.ts";
import { VehicleTable } from "./vehicle-table.tsx";

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
  const { rows, more } = useRows(found);
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
      <div className="filters vehicle-filters">
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
