import { Suspense, useState } from "react";
import type { ReportKind } from "../../both-sides/contract/planned-reports.ts";
import { reportPath } from "../../both-sides/periods/paths.ts";
import { alertsReport } from "../../both-sides/reports/alerts-report.ts";
import { crossingsReport, idlingReport, stopsReport } from "../../both-sides/reports/list-reports.ts";
import { mileageByDay, mileageByVehicle } from "../../both-sides/reports/mileage-report.ts";
import type { ReportScope } from "../../both-sides/reports/scope.ts";
import { maxSensorVehicles } from "../../both-sides/reports/sensors/sensor-columns.ts";
import { tripsByDriver, tripsReport } from "../../both-sides/reports/trips-report.ts";
import { Button } from "../common/elements/button.tsx";
import { loadable } from "../common/loading/use-load.ts";
import { useAddress } from "../common/navigation/address.ts";
import { useHeading } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Tabs } from "../common/navigation/tabs.tsx";
import { PeriodPicker } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { TagFilter, VehicleFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { FenceFilter } from "./fence-filter.tsx";
import { listReport, reportViews } from "./list-report.tsx";
import { SensorsReport } from "./sensors/sensors-report.tsx";
import { useReportScope } from "./use-scope.ts";

const Trips = listReport(tripsReport);
const TripsAndDrivers = reportViews({ trips: Trips, drivers: listReport(tripsByDriver) }, ({ tripViews }) => tripViews);

const reports = {
  /** By driver only where trackers say who drives. */
  trips: ({ scope }: { readonly scope: ReportScope }) =>
    scope.hasDrivers ? <TripsAndDrivers scope={scope} /> : <Trips scope={scope} />,
  mileage: reportViews(
    { vehicles: listReport(mileageByVehicle), days: listReport(mileageByDay) },
    ({ mileageViews }) => mileageViews,
  ),
  stops: reportViews(
    { stops: listReport(stopsReport), idling: listReport(idlingReport) },
    ({ stopViews }) => stopViews,
  ),
  sensors: SensorsReport,
  crossings: listReport(crossingsReport),
  alerts: listReport(alertsReport),
} as const satisfies Readonly<Record<ReportKind, unknown>>;

const kinds = Object.keys(reports) as ReportKind[];

/** `kind`: the name of the report in the address; null: the first. */
export default function ReportsPage({ kind }: { readonly kind: string | null }) {
  const { reports: words, shell } = useTexts();
  const heading = useHeading(shell.reports);
  const { account } = useSession();
  const scope = useReportScope();
  const chosen = kinds.find((name) => name === kind) ?? "trips";
  const Report = reports[chosen];
  return (
    <div className="page report-page">
      <header className="grid gap-4">
        <h1 ref={heading} tabIndex={-1}>
          {shell.reports}
          <span className="print-only">
            : {words.kinds[chosen]} · {account.name}
          </span>
        </h1>
        <Tabs label={words.kindsLabel} current={chosen}>
          {kinds.map((name) => (
            <Link key={name} to={reportPath(name, { period: scope.period, ...scope.chosen })} current={name === chosen}>
              {words.kinds[name]}
            </Link>
          ))}
        </Tabs>
      </header>
      <search className="report-filters flex align-start wrap">
        <PeriodPicker period={scope.period} />
        <TagFilter />
        <VehicleFilter />
        {chosen === "crossings" && <FenceFilter />}
      </search>
      <div className="row wrap apart gap-2-4">
        <ScopeLine scope={scope} />
        <PlanButton kind={chosen} scope={scope} />
      </div>
      <Report key={chosen} scope={scope} />
    </div>
  );
}

const SendRegularly = loadable(() => import("../planned-reports/send-regularly.tsx"));

interface PlanButtonProps {
  readonly kind: ReportKind;
  readonly scope: ReportScope;
}

/** Has the report mailed as it is filtered now. A plot of sensors is of certain vehicles. */
function PlanButton({ kind, scope: { chosen } }: PlanButtonProps) {
  const { reports: words } = useTexts();
  const { get } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const { tags, vehicles } = chosen;
  const isFit = kind !== "sensors" || (vehicles.length > 0 && vehicles.length <= maxSensorVehicles);
  const choice = kind === "alerts" ? get("severity") : null;
  const fence = kind === "crossings" ? get("fence") : null;
  const filters = { view: get("view"), sort: get("sort"), choice, driver: get("driver"), fence, tags, vehicles };
  return (
    <div className="download-buttons report-plan flex wrap gap-2">
      {isFit && <Button look="small" icon="mail" text={words.sendRegularly} onClick={() => setOpen(true)} />}
      <Link to="/reports/planned" className="button button-small">
        {words.planned}
      </Link>
      {isOpen && (
        <Suspense>
          <SendRegularly what={{ report: kind, filters }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** What the report is about: on paper all of it, on the screen its days and their zone. */
function ScopeLine({ scope }: { readonly scope: ReportScope }) {
  const { common, show } = useTexts();
  const { period, zone, chosen, devices } = scope;
  const { from, to } = period;
  const days = from === to ? show.day(from) : `${show.day(from)} – ${show.day(to)}`;
  const tags = chosen.tags.map((tag) => `${common.tag}: ${tag}`);
  const vehicles = chosen.vehicles.map((id) => devices?.get(id)?.name ?? id);
  const filters = [...tags, ...vehicles];
  return (
    <p className="hint">
      {days} · {common.daysOfZone(zone)}
      <span className="print-only"> · {filters.length === 0 ? common.allVehicles : filters.join(", ")}</span>
    </p>
  );
}
