import { memo, useMemo } from "react";
import { getPage } from "../api/pages.ts";
import { SearchField } from "../common/fields/search-field.tsx";
import { EmptyState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useFirstRows } from "../common/tables/use-rows.tsx";
import { motions } from "../common/vehicles/motion.ts";
import { useVehiclesByName } from "../common/vehicles/use-devices.ts";
import { TagFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { countByMotion, type MapVehicle, matching, unreported } from "./layers/vehicle.ts";
import { nothingShown } from "./map-words.ts";
import { MotionMark, UnreportedMark } from "./motion-mark.tsx";
import type { MapFilter } from "./use-map-filter.ts";
import { type RowFacts, UnreportedRow, VehicleRow } from "./vehicle-row.tsx";

interface VehicleListProps {
  readonly all: readonly MapVehicle[];
  readonly shown: readonly MapVehicle[];
  readonly facts: RowFacts;
  /** Whether the server answered the last request. */
  readonly isLive: boolean;
  readonly filter: MapFilter;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

const everything = { search: "", motion: null, ids: null };

export const MapVehicleList = memo(function VehicleList(props: VehicleListProps) {
  const { all, shown, facts, isLive, filter, selectedId, onSelect } = props;
  const { common, map: words, show } = useTexts();
  const { rows, more } = useFirstRows(shown);
  const devices = useVehiclesByName();
  const unseen = useMemo(() => unreported(devices, all, filter), [devices, all, filter]);
  const silent = useFirstRows(unseen);
  const silentCount = unreported(devices, all, { ...filter, motion: null }).length;
  const shownCount = shown.length + unseen.length;
  const allCount = all.length + unreported(devices, all, everything).length;
  // Of those that the other filters leave: a click on a state then shows as many.
  const counts = countByMotion(matching(all, { ...filter, motion: null }));
  const allWords = common.vehicles(allCount, show.number(allCount));
  return (
    <>
      <SearchField
        label={common.searchVehicle}
        placeholder={common.nameOrPlate}
        value={filter.search}
        onChange={filter.setSearch}
      />
      <fieldset className="chips grid gap-2">
        <legend className="visually-hidden">{words.showOnly}</legend>
        {motions.map((motion) => (
          <button
            key={motion}
            type="button"
            className="chip"
            aria-pressed={filter.motion === motion}
            onClick={() => filter.setMotion(filter.motion === motion ? null : motion)}
          >
            <MotionMark motion={motion} />
            {words.motion[motion]}
            <span className="chip-count quiet">{show.number(counts[motion])}</span>
          </button>
        ))}
        {(silentCount > 0 || filter.motion === "unreported") && (
          <button
            type="button"
            className="chip"
            aria-pressed={filter.motion === "unreported"}
            onClick={() => filter.setMotion(filter.motion === "unreported" ? null : "unreported")}
          >
            <UnreportedMark />
            {words.unreported}
            <span className="chip-count quiet">{show.number(silentCount)}</span>
          </button>
        )}
      </fieldset>
      <TagFilter />
      <p className="list-status" aria-live="polite">
        {shownCount === allCount ? allWords : common.some(show.number(shownCount), allWords)}
        {isLive && (
          <span className="live middle gap-2" aria-hidden="true">
            {common.live}
          </span>
        )}
      </p>
      {shownCount === 0 && <p className="quiet">{words.noneFits}</p>}
      <ul className="vehicles">
        {rows.map((vehicle) => (
          <VehicleRow
            key={vehicle.id}
            vehicle={vehicle}
            facts={facts}
            isSelected={vehicle.id === selectedId}
            onSelect={onSelect}
          />
        ))}
        {more === false && silent.rows.map((device) => <UnreportedRow key={device.device_id} device={device} />)}
      </ul>
      {more || silent.more}
    </>
  );
});

const loadHasVehicles = async (signal: AbortSignal) =>
  (await getPage("devices", { limit: "1" }, signal)).data.length > 0;

/** In place of the list, where no vehicle has a position. */
export function NoVehicles() {
  const { user } = useSession();
  const { map: words } = useTexts();
  const { loaded } = useLoad(loadHasVehicles);
  if (loaded.state === "loading") return null;
  const { title, texts, next } = nothingShown(user.role, loaded.data ?? true, words);
  return (
    <EmptyState icon="map" title={title}>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {next !== null && (
        <Link to="/start" className="button button-primary">
          {next === "add" ? words.addFirst : words.goOn}
        </Link>
      )}
      {next === "go on" && (
        <Link to="/fleet/trackers" className="button">
          {words.trackers}
        </Link>
      )}
    </EmptyState>
  );
}
