import { useCallback, useMemo, useState } from "react";
import type { SubAccount } from "../api/portal-records.ts";
import { useAddress } from "../common/address.ts";
import { Select } from "../common/field.tsx";
import { SearchField } from "../common/search-field.tsx";
import { SelectAll } from "../common/select-all.tsx";
import { useRows } from "../common/use-rows.ts";
import { useShow } from "../common/use-show.ts";
import { Choices } from "../common/vehicle-filters.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
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
  const { vehicles: words } = useAdministrationTexts();
  const { common } = useTexts();
  const show = useShow();
  const { get, all, set, query } = useAddress();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
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
  const { rows, nextRows, showMore } = useRows(found);
  const names = useMemo(() => new Map(people.map(({ user_id, name }) => [user_id, name])), [people]);
  // Nothing that is out of sight is changed.
  const selected = useMemo(
    () => new Set(found.filter(({ device_id }) => chosen.has(device_id)).map(({ device_id }) => device_id)),
    [found, chosen],
  );
  const select = useCallback((id: string, isSelected: boolean) => {
    setChosen((before) => (isSelected ? before.union(new Set([id])) : before.difference(new Set([id]))));
  }, []);
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
        {found.length === vehicles.length ? allWords : words.some(show.number(found.length), allWords)}
      </p>
      {found.length === 0 ? (
        <p className="quiet">{words.noneFits}</p>
      ) : (
        <>
          <SelectionBar
            selectable={found.length}
            selected={selected.size}
            onSelectAll={() => setChosen(new Set(found.map(({ device_id }) => device_id)))}
            onSelectNone={() => setChosen(new Set())}
            onChange={(kind) => onSeveral(kind, selected)}
          />
          <VehicleTable vehicles={rows} selected={selected} names={names} onSelect={select} onEdit={onEdit} />
        </>
      )}
      {nextRows > 0 && (
        <button type="button" className="button button-wide" onClick={showMore}>
          {words.showMore(show.number(nextRows))}
        </button>
      )}
    </>
  );
}

interface SelectionBarProps {
  /** How many could be selected. */
  readonly selectable: number;
  readonly selected: number;
  readonly onSelectAll: () => void;
  readonly onSelectNone: () => void;
  readonly onChange: (kind: SeveralKind) => void;
}

/** What can be done to the selected vehicles. Stays in sight while the list is scrolled. */
function SelectionBar({ selectable, selected, onSelectAll, onSelectNone, onChange }: SelectionBarProps) {
  const { vehicles: words } = useAdministrationTexts();
  const show = useShow();
  const actions: readonly (readonly [SeveralKind, string])[] = [
    ["tags", words.tagSome],
    ["status", words.statusSome],
    ["people", words.assignSome],
  ];
  return (
    <div className="selection-bar" data-selected={selected > 0}>
      <SelectAll {...{ selectable, selected, onSelectAll, onSelectNone }}>
        {words.selectAll(show.number(selectable))}
      </SelectAll>
      {selected > 0 && (
        <>
          <span className="selection-count" aria-live="polite">
            {words.selected(selected, show.number(selected))}
          </span>
          <button type="button" className="link-button" onClick={onSelectNone}>
            {words.clearSelection}
          </button>
          {selected > maxAtOnce ? (
            <span className="quiet">{words.atMost(show.number(maxAtOnce))}</span>
          ) : (
            actions.map(([kind, text]) => (
              <button key={kind} type="button" className="button button-small" onClick={() => onChange(kind)}>
                {text}…
              </button>
            ))
          )}
        </>
      )}
    </div>
  );
}
