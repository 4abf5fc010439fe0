import { useHeading } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { Tabs } from "../common/navigation/tabs.tsx";
import { reportPath } from "../common/periods/paths.ts";
import { PeriodPicker } from "../common/periods/period-picker.tsx";
import { useSession } from "../common/session.ts";
import { TagFilter, VehicleFilter } from "../common/vehicles/vehicle-filters.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { AlertsReport } from "./alerts-report.tsx";
import { FenceFilter } from "./fence-filter.tsx";
import { CrossingsReport, StopsReport } from "./list-reports.tsx";
import { MileageReport } from "./mileage-report.tsx";
import { type ReportScope, useReportScope } from "./scope.ts";
import { SensorsReport } from "./sensors-report.tsx";
import { TripsReport } from "./trips-report.tsx";

const reports = {
  trips: TripsReport,
  mileage: MileageReport,
  stops: StopsReport,
  sensors: SensorsReport,
  crossings: CrossingsReport,
  alerts: AlertsReport,
} as const;

type ReportKind = keyof typeof reports;
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
      <header className="report-head">
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
      <search className="report-filters">
        <PeriodPicker period={scope.period} />
        <TagFilter />
        <VehicleFilter />
        {chosen === "crossings" && <FenceFilter />}
      </search>
      <ScopeLine scope={scope} />
      <Report key={chosen} scope={scope} />
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
    <p className="small quiet">
      {days} · {common.daysOfZone(zone)}
      <span className="print-only"> · {filters.length === 0 ? common.allVehicles : filters.join(", ")}</span>
    </p>
  );
}
