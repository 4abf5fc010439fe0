import { type ReactNode, useEffect, useId, useState } from "react";
import type { Highlight } from "../../both-sides/contract/fleet-days.ts";
import { type Chosen, fleetDaysAddress } from "../../both-sides/periods/paths.ts";
import { getJson } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useMore } from "../common/loading/show-more.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Time } from "../common/reading/time.tsx";
import { useSession } from "../common/session.ts";
import { AsidePlace } from "../places/place.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { type FleetDaysPage, momentOrDay, type ShownDays, withPage } from "./fleet-days.ts";
import { FuelItem, type ItemProps, SilentItem, SpeedingItem, StillItem } from "./group-items.tsx";

interface AttentionProps {
  readonly fleet: ShownDays;
  readonly chosen: Chosen;
  readonly zone: string;
}

interface GroupOfVehicles extends Omit<CardProps, "children"> {
  readonly group: Highlight;
  readonly nothing: ReactNode;
  readonly Item: (props: ItemProps) => ReactNode;
}

/** What a person should look at, whatever the fleet drove. */
export function Attention({ fleet, chosen, zone }: AttentionProps) {
  const { yesterday: words, show } = useTexts();
  const { totals } = fleet;
  const { role } = useSession().user;
  // Of what nobody reported nothing is known.
  const unlessSilent = (nothing: ReactNode) => (totals.drove + totals.still === 0 ? words.noneReported : nothing);
  const noLimits = (
    <>
      {words.noLimits} {role === "owner" && <Link to="/fleet/rules?edit=speeding&on=true">{words.setLimit}</Link>}
    </>
  );
  const times = totals.speeding_count;
  const fuel = [
    totals.fuel_taken_count > 0 ? words.taken(show.volume(totals.fuel_taken_l)) : null,
    totals.fuel_lost_count > 0 ? words.lost(show.volume(totals.fuel_lost_l)) : null,
  ].filter((text) => text !== null);
  const groups: readonly GroupOfVehicles[] = [
    {
      group: "speeding",
      count: totals.speeding_vehicles,
      title: words.speeding,
      sum: times > 0 ? words.times(times, show.number(times)) : null,
      nothing: fleet.limited_vehicles === 0 ? noLimits : unlessSilent(words.noSpeeding),
      Item: SpeedingItem,
    },
    {
      group: "silent",
      count: totals.silent,
      title: words.silent,
      sum: null,
      nothing: words.noneSilent,
      Item: SilentItem,
    },
    {
      group: "still",
      count: totals.still,
      title: words.still,
      sum: null,
      nothing: unlessSilent(words.noneStill),
      Item: StillItem,
    },
    {
      group: "fuel",
      count: totals.fuel_vehicles,
      title: words.fuel,
      sum: fuel.length > 0 ? fuel.join(" · ") : null,
      nothing: unlessSilent(words.noFuel),
      Item: FuelItem,
    },
  ];
  return (
    <div className="attention column gap-4">
      <Critical fleet={fleet} zone={zone} />
      {groups.map((own) => (
        <GroupCard key={own.group} own={own} fleet={fleet} chosen={chosen} zone={zone} />
      ))}
    </div>
  );
}

function GroupCard({ own, fleet, chosen, zone }: AttentionProps & { readonly own: GroupOfVehicles }) {
  const { common } = useTexts();
  const { group, title, count, sum, nothing, Item } = own;
  const { vehicles, hasMore, isLoading, error, loadMore } = useGroup(group, count, fleet, chosen);
  return (
    <Card title={title} count={count} sum={sum} group={group}>
      {vehicles.length === 0 ? (
        <p className="quiet">{nothing}</p>
      ) : (
        <ul className="group">
          {vehicles.map((vehicle) => (
            <li key={vehicle.device_id}>
              <Item vehicle={vehicle} zone={zone} days={fleet} />
            </li>
          ))}
        </ul>
      )}
      {error !== null && <ErrorNotice error={error} retry={loadMore} />}
      {hasMore && error === null && (
        <Button
          look="small"
          text={isLoading ? `${common.loading}…` : common.showMore}
          of={title}
          isBusy={isLoading}
          onClick={loadMore}
        />
      )}
    </Card>
  );
}

/** Of now, whatever days are shown. */
function Critical({ fleet, zone }: Pick<AttentionProps, "fleet" | "zone">) {
  const { yesterday: words, alerts, show } = useTexts();
  const { count, data } = fleet.open_critical;
  const types: Readonly<Record<string, string>> = alerts.types;
  const fences = useFences();
  return (
    <Card title={words.critical} count={count} sum={words.now} group="critical">
      {data.length === 0 && <p className="quiet">{words.noCritical}</p>}
      <ul className="group">
        {data.map(({ device_id, name, count: ofVehicle, newest }) => (
          <li key={device_id}>
            <Link to={momentOrDay(device_id, newest.occurred_at, zone, fleet.from)} className="group-item">
              <span className="group-name">{name}</span>
              <span className="one-line digits">{ofVehicle > 1 ? `${show.number(ofVehicle)} ×` : ""}</span>
              <span className="quiet">
                {types[newest.alert_type] ?? newest.alert_type} · <Time at={newest.occurred_at} />
                <AsidePlace place={newest.place} fences={fences} />
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
  const { show } = useTexts();
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

const rowsAtOnce = 100;

/** The first of the `count` vehicles of a group came with the fleet; the others are asked for. */
function useGroup(group: Highlight, count: number, fleet: ShownDays, chosen: Chosen) {
  const first = fleet.highlights[group];
  const [list, setList] = useState<FleetDaysPage | null>(null);
  // Fresh figures of the same days and vehicles leave open what was opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice begins anew
  useEffect(() => setList(null), [chosen]);
  const cursor = list?.next_cursor ?? null;
  const more = useMore(
    chosen,
    (signal) => {
      const further = { show: group, limit: String(rowsAtOnce), ...(cursor === null ? {} : { cursor }) };
      return getJson(fleetDaysAddress(chosen, further), signal);
    },
    (page) => setList((now) => (now === null ? page : withPage(now, page))),
  );
  const hasMore = list === null ? count > first.length : cursor !== null;
  return { ...more, vehicles: list?.data ?? first, hasMore };
}
