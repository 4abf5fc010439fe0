import { EmptyState } from "../common/empty-state.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { Downloads, downloadLinks } from "./downloads.tsx";
import { useView, ViewSwitch } from "./list-report.tsx";
import type { ReportScope } from "./scope.ts";
import { VehicleSensors } from "./vehicle-sensors.tsx";

const kinds = ["fuel", "temperature"] as const;

/** A plot each; more cannot be compared. */
const maxVehicles = 4;

/** Fuel or temperature of some vehicles, as plots. */
export function SensorsReport({ scope }: { readonly scope: ReportScope }) {
  const { reports: words } = useTexts();
  const [kind, choose] = useView(kinds);
  const { chosen, list, devices } = scope;
  const ids = [...(chosen.ids ?? [])];
  const isReady = list !== null && ids.length > 0 && ids.length <= maxVehicles;
  return (
    <>
      <div className="report-bar">
        <ViewSwitch
          name="view"
          label={words.show}
          options={kinds}
          words={words.sensorKinds}
          view={kind}
          choose={choose}
        />
        {isReady && (
          <Downloads
            links={downloadLinks(scope, "readings", ["csv"], { kind })}
            onPrint={() => window.print()}
            isPrinting={false}
          />
        )}
      </div>
      {isReady ? (
        ids.map((deviceId) => (
          <VehicleSensors
            key={deviceId}
            name={devices?.get(deviceId)?.name ?? ""}
            deviceId={deviceId}
            kind={kind}
            window={list.window}
            zone={scope.zone}
          />
        ))
      ) : (
        <EmptyState icon="report" title={words.chooseVehicle}>
          <p>{words.upToVehicles(maxVehicles)}</p>
        </EmptyState>
      )}
    </>
  );
}
