import { memo } from "react";
import { getPage } from "../api/pages.ts";
import type { Device } from "../api/records.ts";
import { SearchField } from "../common/fields/search-field.tsx";
import { EmptyState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useRows } from "../common/tables/use-rows.tsx";
import { motions } from "../common/vehicles/motion.ts";
import { TagFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { countByMotion, matching, type Vehicle } from "./layers/vehicle.ts";
import { nothingShown } from "./map-words.ts";
import { MotionMark } from "./motion-mark.tsx";
import type { MapFilter } from "./use-map-filter.ts";
import { type RowFacts, VehicleRow } from "./vehicle-row.tsx";

interface VehicleListProps {
  readonly all: readonly Vehicle[];
  readonly shown: readonly Vehicle[];
  readonly facts: RowFacts;
  /** Whether the server answered the last request. */
  readonly isLive: boolean;
  readonly filter: MapFilter;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
}

export const VehicleList = memo(function VehicleList(props: VehicleListProps) {
  const { all, shown, facts, isLive, filter, selectedId, onSelect } = props;
  const { common, map: words, show } = useTexts();
  const { rows, more } = useRows(shown);
  // Of those that the other filters leave: a click on a state then shows as many.
  const counts = countByMotion(matching(all, { ...filter, motion: null }));
  const allWords = common.vehicles(all.length, show.number(all.length));
  return (
    <>
      <SearchField
        label={common.searchVehicle}
        placeholder={common.nameOrPlate}
        value={filter.search}
        onChange={filter.setSearch}
      />
      <fieldset className="chips">
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
            <span className="chip-count">{show.number(counts[motion])}</span>
          </button>
        ))}
      </fieldset>
      <TagFilter />
      <p className="list-status" aria-live="polite">
        {shown.length === all.length ? allWords : common.some(show.number(shown.length), allWords)}
        {isLive && (
          <span className="live" aria-hidden="true">
            {common.live}
          </span>
        )}
      </p>
      {shown.length === 0 && <p className="quiet">{words.noneFits}</p>}
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
      </ul>
      {more}
    </>
  );
});

const loadHasVehicles = async (signal: AbortSignal) =>
  (await getPage<Device>("devices", { limit: "1" }, signal)).data.length > 0;

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
