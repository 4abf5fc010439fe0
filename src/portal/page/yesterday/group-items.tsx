import type { VehicleDaysRecord } from "../../both-sides/contract/fleet-days.ts";
import { Link } from "../common/navigation/route.tsx";
import { Time } from "../common/reading/time.tsx";
import { AsidePlace, useListedPlace } from "../places/place.tsx";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";
import { TrackerFaultLine } from "../tracker-faults/tracker-fault.tsx";
import { momentOrDay } from "./fleet-days.ts";

export interface ItemProps {
  readonly vehicle: VehicleDaysRecord;
  readonly zone: string;
  readonly days: { readonly from: string; readonly to: string };
}

export function SpeedingItem({ vehicle, zone, days }: ItemProps) {
  const { yesterday: words, show } = useTexts();
  const { speeding_worst: worst, speeding_s: seconds, speeding_count: count } = vehicle;
  const fences = useFences();
  return (
    <Link to={momentOrDay(vehicle.device_id, worst?.occurred_at ?? null, zone, days.from)} className="group-item">
      <span className="group-name">{vehicle.name}</span>
      <span className="one-line digits">
        {seconds < 60 ? words.seconds(show.number(Math.round(seconds))) : show.duration(seconds)}
      </span>
      <span className="quiet">
        {words.times(count, show.number(count))}
        {worst !== null && worst.value !== null && worst.threshold !== null && (
          <>
            {" · "}
            {words.worst(show.speed(worst.value), show.speed(worst.threshold))} ·{" "}
            <Time at={worst.occurred_at} detail={days.from === days.to ? "time" : "minute"} />
            <AsidePlace place={worst.place} fences={fences} />
          </>
        )}
      </span>
    </Link>
  );
}

/** When it was last heard of: before the days that are shown, or after them. */
export function SilentItem({ vehicle, zone, days }: ItemProps) {
  const { yesterday: words } = useTexts();
  const { last_seen_at: at } = vehicle;
  const fences = useFences();
  return (
    <>
      <Link to={momentOrDay(vehicle.device_id, at, zone, days.from)} className="group-item">
        <span className="group-name">{vehicle.name}</span>
        <span className="quiet">
          {at === null ? (
            words.neverHeard
          ) : (
            <>
              {words.lastHeard} <Time at={at} />
              <AsidePlace place={vehicle.place} fences={fences} />
            </>
          )}
        </span>
      </Link>
      <TrackerFaultLine deviceId={vehicle.device_id} />
    </>
  );
}

export function StillItem({ vehicle, days }: ItemProps) {
  const place = useListedPlace(vehicle.place, useFences());
  const known = [vehicle.plate, place].filter((text) => text !== null);
  return (
    <>
      <Link to={`/map/${vehicle.device_id}?day=${days.to}`} className="group-item">
        <span className="group-name">{vehicle.name}</span>
        {known.length > 0 && <span className="quiet">{known.join(" · ")}</span>}
      </Link>
      <TrackerFaultLine deviceId={vehicle.device_id} />
    </>
  );
}

export function FuelItem({ vehicle, zone, days }: ItemProps) {
  const { yesterday: words, show } = useTexts();
  const { fuel_taken_count: taken, fuel_lost_count: lost } = vehicle;
  const { fuel_taken_l: takenLitres, fuel_lost_l: lostLitres } = vehicle;
  const to = (at: string | null) => momentOrDay(vehicle.device_id, at, zone, days.from);
  return (
    <div className="group-item">
      <span className="group-name">{vehicle.name}</span>
      <span className="fuel-figures grid">
        {taken > 0 && (
          <Link to={to(vehicle.fuel_taken_at)}>
            {takenLitres === null ? words.refills(taken, show.number(taken)) : words.taken(show.volume(takenLitres))}
          </Link>
        )}
        {lost > 0 && (
          <Link to={to(vehicle.fuel_lost_at)} className="fuel-lost">
            {lostLitres === null ? words.losses(lost, show.number(lost)) : words.lost(show.volume(lostLitres))}
          </Link>
        )}
      </span>
    </div>
  );
}
