import { useCallback, useMemo } from "react";
import type { DrivenTotals } from "../../both-sides/contract/fleet-days.ts";
import { dayAt, daysBetween } from "../../both-sides/periods/days.ts";
import { type Chosen, reportPath } from "../../both-sides/periods/paths.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { EmptyState, ErrorNotice, LoadState } from "../common/loading/notice.tsx";
import { ShowMore } from "../common/loading/show-more.tsx";
import { useAddress } from "../common/navigation/address.ts";
import { PageHead } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { PeriodNotice, PeriodPicker, periodTitles, usePeriod } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { TagFilter, VehicleFilter } from "../common/vehicles/vehicle-filters.tsx";
import { FirstSteps } from "../setup/first-steps.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { Attention } from "./attention.tsx";
import { growth, nextOrder, orderOf, type ShownDays, type YesterdaySort } from "./fleet-days.ts";
import { useFleetDays } from "./use-fleet-days.ts";
import { VehicleBars } from "./vehicle-bars.tsx";

/** What the fleet did yesterday, today, in the last days or in chosen ones: the page of the morning. */
export default function YesterdayPage() {
  const { yesterday: words, common, map, reports, show } = useTexts();
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
    ({ totals: { drove, distance_km } }: ShownDays) =>
      announce(words.loaded(show.distance(distance_km), common.vehicles(drove, show.number(drove)))),
    [show, words, common],
  );
  const { loaded, reload, refreshError, more, hasMore } = useFleetDays(chosen, order, isToday, sayLoaded);
  const fleet = loaded.data;
  const title = periodTitles(common)[period.name];
  const { from, to } = period;
  const days = from === to ? show.day(from, "day") : `${show.day(from, "date")} – ${show.day(to, "date")}`;
  const sortBy = (sort: YesterdaySort) => {
    const next = nextOrder(order, sort);
    set({ sort: next.sort, order: next.isDescending ? "desc" : "asc" });
  };
  const about = (
    <>
      <span className="print-only">{account.name} · </span>
      {days} · {common.daysOfZone(zone)}
    </>
  );
  const isFiltered = chosen.tags.length > 0 || chosen.vehicles.length > 0;
  return (
    <div className="page yesterday">
      <PageHead title={title} text={about}>
        <div className="filters">
          <PeriodPicker period={period} />
          <TagFilter />
          <VehicleFilter />
        </div>
      </PageHead>
      <PeriodNotice shown={`${title} (${days})`} />
      <LoadState loaded={loaded} reload={reload} />
      {loaded.state === "ready" && refreshError !== null && <ErrorNotice error={refreshError} />}
      {fleet !== null && fleet.totals.vehicles === 0 && (
        <EmptyState icon="road" title={isFiltered ? words.noneFits : map.noVehicles}>
          {isFiltered ? (
            <Button text={common.clearFilters} onClick={() => set({ tag: null, vehicle: null })} />
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
          <div className="yesterday-parts grid align-start gap-5" aria-busy={loaded.state === "loading" || undefined}>
            <Attention fleet={fleet} chosen={chosen} zone={zone} />
            <section className="card" aria-labelledby="by-vehicle">
              <div className="card-head">
                <h2 id="by-vehicle">{words.byVehicle}</h2>
                <ul className="flex wrap gap-2-4" id="bars-meaning" aria-label={words.barsMean}>
                  {(
                    [
                      ["distance", reports.distance],
                      ["driving", reports.driving],
                      ["idling", reports.idle],
                    ] as const
                  ).map(([bar, text]) => (
                    <li key={bar} className="row gap-2 fine">
                      <span className={`swatch bar-${bar}`} aria-hidden="true" />
                      {text}
                    </li>
                  ))}
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
              {more.error !== null && <ErrorNotice error={more.error} retry={more.loadMore} />}
              {hasMore && more.error === null && (
                <div className="more grid">
                  <ShowMore isLoading={more.isLoading} onMore={more.loadMore} />
                </div>
              )}
              <p className="hint">{words.belongs}</p>
            </section>
          </div>
        </>
      )}
    </div>
  );
}

interface TotalsProps extends Pick<ShownDays, "totals" | "before"> {
  readonly days: number;
  readonly chosen: Chosen;
}

/** The fleet in five figures, with the days before. Each leads to the report that it sums up. */
function Totals({ totals, before, days, chosen }: TotalsProps) {
  const { common, reports, show } = useTexts();
  const figures: readonly (readonly [string, string, keyof DrivenTotals | null, string, string?])[] = [
    [reports.distance, show.distance(totals.distance_km), "distance_km", "mileage"],
    [reports.driving, show.duration(totals.driving_s), "driving_s", "mileage", "-driving"],
    [reports.idle, show.duration(totals.idle_s), "idle_s", "mileage", "-idle"],
    [reports.tripCount, show.number(totals.trip_count), "trip_count", "trips"],
    [reports.vehiclesDriven, common.some(show.number(totals.drove), show.number(totals.vehicles)), null, "mileage"],
  ];
  return (
    <dl className="figures fleet-totals grid clip panel">
      {figures.map(([term, value, name, report, sort]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <Link to={reportPath(report, chosen, sort === undefined ? {} : { sort })}>{value}</Link>
          </dd>
          {name !== null && before !== null && <Growth now={totals[name]} before={before[name]} days={days} />}
        </div>
      ))}
    </dl>
  );
}

function Growth({ now, before, days }: { readonly now: number; readonly before: number; readonly days: number }) {
  const { yesterday: words, show } = useTexts();
  const percent = growth(now, before);
  if (percent === null) return null;
  const signed = `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${show.percent(Math.abs(percent))}`;
  return <dd className="growth">{days === 1 ? words.thanDayBefore(signed) : words.thanDaysBefore(signed)}</dd>;
}
