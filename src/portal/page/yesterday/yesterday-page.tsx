import { useCallback, useMemo } from "react";
import { useAddress } from "../common/address.ts";
import { announce } from "../common/announce.tsx";
import { dayAt, daysBetween } from "../common/days.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import type { Period } from "../common/period.ts";
import { PeriodPicker } from "../common/period-picker.tsx";
import { Link } from "../common/route.tsx";
import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { usePeriod } from "../common/use-period.ts";
import { useShow } from "../common/use-show.ts";
import { TagFilter, VehicleFilter } from "../common/vehicle-filters.tsx";
import { FirstSteps } from "../setup/first-steps.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { Attention } from "./attention.tsx";
import { type FleetDays, nextOrder, orderOf, type Sort } from "./fleet-days.ts";
import { Totals } from "./totals.tsx";
import { useFleetDays } from "./use-fleet-days.ts";
import { MoreRows, VehicleBars } from "./vehicle-bars.tsx";

/** What the fleet did yesterday, today, in the last days or in chosen ones: the page of the morning. */
export default function YesterdayPage() {
  const { yesterday: words, common, map, reports } = useTexts();
  const show = useShow();
  const { account, user } = useSession();
  const zone = account.time_zone;
  const period = usePeriod("yesterday");
  const { get, all, set } = useAddress();
  const filters = JSON.stringify([all("tag"), all("vehicle")]);
  const chosen = useMemo(() => {
    const [tags, vehicles] = JSON.parse(filters) as [string[], string[]];
    return { period, tags, vehicles };
  }, [period, filters]);
  const order = orderOf(get("sort"), get("order"));
  const isToday = period.to >= dayAt(Date.now(), zone);
  const sayLoaded = useCallback(
    ({ totals: { drove, distance_km } }: FleetDays) =>
      announce(words.loaded(show.distance(distance_km), common.vehicles(drove, show.number(drove)))),
    [show, words, common],
  );
  const { loaded, reload, refreshError, more, loadMore, hasMore } = useFleetDays(chosen, order, isToday, sayLoaded);
  const fleet = loaded.data;
  const heading = useHeading(useTitleOf(period));
  const days = useDaysOf(period);
  const sortBy = (sort: Sort) => {
    const next = nextOrder(order, sort);
    set({ sort: next.sort, order: next.isDescending ? "desc" : "asc" });
  };
  const isFiltered = chosen.tags.length > 0 || chosen.vehicles.length > 0;
  return (
    <div className="page yesterday">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {useTitleOf(period)}
          </h1>
          <p className="quiet">
            {days} · {common.daysOfZone(zone)}
          </p>
        </div>
        <div className="filters">
          <PeriodPicker period={period} />
          <TagFilter />
          <VehicleFilter />
        </div>
      </header>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "ready" && refreshError !== null && <ErrorNotice error={refreshError} />}
      {fleet === null && loaded.state === "loading" && <LoadingState />}
      {fleet !== null && fleet.totals.vehicles === 0 && (
        <EmptyState icon="road" title={isFiltered ? words.noneFits : map.noVehicles}>
          {isFiltered ? (
            <button type="button" className="button" onClick={() => set({ tag: null, vehicle: null })}>
              {common.clearFilters}
            </button>
          ) : (
            <>
              <p>{words.noVehiclesText}</p>
              {user.role === "owner" && (
                <Link to="/start" className="button button-primary">
                  {map.addFirst}
                </Link>
              )}
            </>
          )}
        </EmptyState>
      )}
      {fleet !== null && fleet.totals.vehicles > 0 && (
        <>
          {user.role === "owner" && fleet.totals.drove === 0 && <FirstSteps />}
          <Totals
            totals={fleet.totals}
            before={fleet.before}
            days={daysBetween(fleet.from, fleet.to)}
            chosen={chosen}
          />
          <div className="yesterday-parts" aria-busy={loaded.state === "loading" || undefined}>
            <Attention fleet={fleet} chosen={chosen} zone={zone} />
            <section className="card" aria-labelledby="by-vehicle">
              <div className="card-head">
                <h2 id="by-vehicle">{words.byVehicle}</h2>
                <ul className="legend" id="bars-meaning" aria-label={words.barsMean}>
                  <li>
                    <span className="swatch bar-distance" aria-hidden="true" />
                    {reports.distance}
                  </li>
                  <li>
                    <span className="swatch bar-driving" aria-hidden="true" />
                    {reports.driving}
                  </li>
                  <li>
                    <span className="swatch bar-idling" aria-hidden="true" />
                    {reports.idle}
                  </li>
                </ul>
              </div>
              {fleet.data.length === 0 ? (
                <p className="quiet">{words.nothingDriven}</p>
              ) : (
                <VehicleBars
                  vehicles={fleet.data}
                  totals={fleet.totals}
                  order={order}
                  onSort={sortBy}
                  zone={zone}
                  days={fleet}
                />
              )}
              {typeof more === "object" && <ErrorNotice error={more.error} retry={loadMore} />}
              {hasMore && typeof more !== "object" && <MoreRows isLoading={more === "loading"} onMore={loadMore} />}
              <p className="quiet small">{words.belongs}</p>
            </section>
          </div>
        </>
      )}
    </div>
  );
}

function useTitleOf({ name }: Period): string {
  const { common } = useTexts();
  const { yesterday, today, lastDays: week, lastWeek, chosenDays: days } = common;
  return { yesterday, today, week, "last-week": lastWeek, days }[name];
}

function useDaysOf({ from, to }: Period): string {
  const show = useShow();
  return from === to ? show.day(from, "day") : `${show.day(from, "date")} – ${show.day(to, "date")}`;
}
