import { type ReactNode, useId } from "react";
import { ErrorNotice } from "../common/notice.tsx";
import { Link } from "../common/route.tsx";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Chosen, FleetDays, Group, VehicleDays } from "./fleet-days.ts";
import { FuelItem, SilentItem, SpeedingItem, StillItem } from "./group-items.tsx";
import { momentOrDay } from "./moment.ts";
import { useGroup } from "./use-group.ts";

interface AttentionProps {
  readonly fleet: FleetDays;
  readonly chosen: Chosen;
  readonly zone: string;
}

/** What somebody should look at, whatever the fleet drove. */
export function Attention({ fleet, chosen, zone }: AttentionProps) {
  const { yesterday: words } = useTexts();
  const show = useShow();
  const { totals } = fleet;
  const fuel = [
    totals.fuel_taken_count > 0 ? words.taken(show.volume(totals.fuel_taken_l)) : null,
    totals.fuel_lost_count > 0 ? words.lost(show.volume(totals.fuel_lost_l)) : null,
  ].filter((text) => text !== null);
  const ofGroup = (group: Group, count: number) => ({ group, count, fleet, chosen, zone });
  return (
    <div className="attention">
      <Critical fleet={fleet} zone={zone} />
      <GroupCard
        {...ofGroup("speeding", totals.speeding_vehicles)}
        title={words.speeding}
        sum={totals.speeding_count > 0 ? words.times(totals.speeding_count, show.number(totals.speeding_count)) : null}
        nothing={words.noSpeeding}
        item={(vehicle) => <SpeedingItem vehicle={vehicle} zone={zone} days={fleet} />}
      />
      <GroupCard
        {...ofGroup("silent", totals.silent)}
        title={words.silent}
        sum={null}
        nothing={words.noneSilent}
        item={(vehicle) => <SilentItem vehicle={vehicle} zone={zone} days={fleet} />}
      />
      <GroupCard
        {...ofGroup("still", totals.still)}
        title={words.still}
        sum={null}
        nothing={words.noneStill}
        item={(vehicle) => <StillItem vehicle={vehicle} zone={zone} days={fleet} />}
      />
      <GroupCard
        {...ofGroup("fuel", totals.fuel_vehicles)}
        title={words.fuel}
        sum={fuel.length > 0 ? fuel.join(" · ") : null}
        nothing={words.noFuel}
        item={(vehicle) => <FuelItem vehicle={vehicle} zone={zone} days={fleet} />}
      />
    </div>
  );
}

interface GroupCardProps extends AttentionProps {
  readonly group: Group;
  readonly title: string;
  readonly sum: string | null;
  readonly count: number;
  readonly nothing: string;
  readonly item: (vehicle: VehicleDays) => ReactNode;
}

/** The first vehicles of a group, and the others on request. */
function GroupCard({ group, title, sum, count, nothing, item, fleet, chosen }: GroupCardProps) {
  const { common } = useTexts();
  const { vehicles, hasMore, isLoading, error, loadMore } = useGroup(group, fleet, chosen);
  return (
    <Card title={title} count={count} sum={sum} group={group}>
      {vehicles.length === 0 ? (
        <p className="quiet">{nothing}</p>
      ) : (
        <ul className="group">
          {vehicles.map((vehicle) => (
            <li key={vehicle.device_id}>{item(vehicle)}</li>
          ))}
        </ul>
      )}
      {error !== null && <ErrorNotice error={error} retry={loadMore} />}
      {hasMore && error === null && (
        <button type="button" className="button button-small" disabled={isLoading} onClick={loadMore}>
          {isLoading ? `${common.loading}…` : common.showMore}
          <span className="visually-hidden">: {title}</span>
        </button>
      )}
    </Card>
  );
}

/** Of now, whatever days are shown. */
function Critical({ fleet, zone }: Pick<AttentionProps, "fleet" | "zone">) {
  const { yesterday: words, alerts } = useTexts();
  const show = useShow();
  const { count, data } = fleet.open_critical;
  const types: Readonly<Record<string, string>> = alerts.types;
  return (
    <Card title={words.critical} count={count} sum={words.now} group="critical">
      {data.length === 0 && <p className="quiet">{words.noCritical}</p>}
      <ul className="group">
        {data.map(({ device_id, name, count: ofVehicle, newest }) => (
          <li key={device_id}>
            <Link to={momentOrDay(device_id, newest.occurred_at, zone, fleet.from)} className="group-item">
              <span className="group-name">{name}</span>
              <span className="group-figure">{ofVehicle > 1 ? `${show.number(ofVehicle)} ×` : ""}</span>
              <span className="quiet">
                {types[newest.alert_type] ?? newest.alert_type} · <Time at={newest.occurred_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {count > 0 && (
        <Link to="/alerts?severity=critical" className="button button-small">
          {words.workThrough}
        </Link>
      )}
    </Card>
  );
}

interface CardProps {
  readonly title: string;
  readonly count: number;
  readonly sum: string | null;
  readonly group: string;
  readonly children: ReactNode;
}

function Card({ title, count, sum, group, children }: CardProps) {
  const id = useId();
  const show = useShow();
  return (
    <section
      className="card attention-card"
      aria-labelledby={id}
      data-group={group}
      data-notable={count > 0 || undefined}
    >
      <div className="card-head">
        <h2 id={id}>
          {title} <span className="count">{show.number(count)}</span>
        </h2>
        {sum !== null && <span className="quiet">{sum}</span>}
      </div>
      {children}
    </section>
  );
}
