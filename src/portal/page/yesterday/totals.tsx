import { type Chosen, reportPath } from "../common/paths.ts";
import { Link } from "../common/route.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { type DrivenTotals, type FleetDays, growth } from "./fleet-days.ts";

interface TotalsProps extends Pick<FleetDays, "totals" | "before"> {
  readonly days: number;
  readonly chosen: Chosen;
}

/** The fleet in five figures, with the days before. Each leads to the report that it sums up. */
export function Totals({ totals, before, days, chosen }: TotalsProps) {
  const { yesterday: words, reports, show } = useTexts();
  const figures: readonly (readonly [string, string, keyof DrivenTotals | null, string, string?])[] = [
    [reports.distance, show.distance(totals.distance_km), "distance_km", "mileage"],
    [reports.driving, show.duration(totals.driving_s), "driving_s", "mileage", "-driving"],
    [reports.idle, show.duration(totals.idle_s), "idle_s", "mileage", "-idle"],
    [reports.tripCount, show.number(totals.trip_count), "trip_count", "trips"],
    [reports.vehiclesDriven, words.ofAll(show.number(totals.drove), show.number(totals.vehicles)), null, "mileage"],
  ];
  return (
    <dl className="figures fleet-totals">
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
