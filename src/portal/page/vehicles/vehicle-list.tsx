import { useCallback, useMemo, useState } from "react";
import type { SubAccount } from "../api/portal-records.ts";
import { useAddress } from "../common/address.ts";
import { Select } from "../common/field.tsx";
import { Icon } from "../common/icon.tsx";
import { useShow } from "../common/use-show.ts";
import { Choices } from "../common/vehicle-filters.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { SelectionBar } from "./selection-bar.tsx";
import type { SeveralKind } from "./several-dialog.tsx";
import { matchingVehicles } from "./vehicle-filter.ts";
import { type FleetVehicle, vehicleStatuses } from "./vehicle-records.ts";
import { VehicleTable } from "./vehicle-table.tsx";

/** Nobody scrolls through more rows: the others are found by search. So the page stays quick with thousands. */
const rowsAtOnce = 100;

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
  const [rows, setRows] = useState(rowsAtOnce);
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
  const names = useMemo(() => new Map(people.map(({ user_id, name }) => [user_id, name])), [people]);
  // Nothing that is out of sight is changed.
  const selected = useMemo(
    () => new Set(found.filter(({ device_id }) => chosen.has(device_id)).map(({ device_id }) => device_id)),
    [found, chosen],
  );
  const select = useCallback((id: string, isSelected: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      if (isSelected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const allWords = common.vehicles(vehicles.length, show.number(vehicles.length));
  const statusOptions = [
    ["", words.anyStatus] as const,
    ...vehicleStatuses.map((name) => [name, words.status[name]] as const),
  ];
  return (
    <>
      <div className="filters vehicle-filters">
        <label className="search">
          <Icon name="search" />
          <span className="visually-hidden">{common.searchVehicle}</span>
          <input
            type="search"
            placeholder={common.nameOrPlate}
            value={filter.search}
            onChange={({ target }) => set({ search: target.value || null })}
          />
        </label>
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
          <VehicleTable
            vehicles={found.slice(0, rows)}
            selected={selected}
            names={names}
            onSelect={select}
            onEdit={onEdit}
          />
        </>
      )}
      {found.length > rows && (
        <button type="button" className="button button-wide" onClick={() => setRows(rows + rowsAtOnce)}>
          {words.showMore(show.number(Math.min(rowsAtOnce, found.length - rows)))}
        </button>
      )}
    </>
  );
}
