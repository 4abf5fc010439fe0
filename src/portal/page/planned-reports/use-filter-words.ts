import type { ReportFilters } from "../../../domain/notifications/planned-report.ts";
import { noDriver } from "../../both-sides/reports/drivers.ts";
import { useDevices } from "../common/vehicles/use-devices.ts";
import { useFences } from "../places/use-fences.ts";
import { useTexts } from "../texts/use-texts.ts";

/** How many are named before "…". */
const fewNames = 4;

/** What a report is filtered by, in words. */
export function useFilterWords({ tags, vehicles, driver, fence, choice }: ReportFilters): string {
  const { common, reports, alerts, show } = useTexts();
  const devices = useDevices();
  const fences = useFences();
  const names = vehicles.map((id) => devices?.get(id)?.name ?? id).sort(show.compare);
  const few = names.slice(0, fewNames).join(", ") + (names.length > fewNames ? " …" : "");
  const severities: Readonly<Record<string, string>> = alerts.severities;
  return [
    ...(vehicles.length === 0 ? [common.allVehicles] : [few]),
    ...tags.map((tag) => `${common.tag}: ${tag}`),
    ...(fence === null ? [] : [`${reports.fence}: ${fences?.byId.get(fence)?.name ?? fence}`]),
    ...(driver === null ? [] : [driver === noDriver ? reports.noDriver : reports.onlyDriver(driver)]),
    ...(choice === null ? [] : [severities[choice] ?? choice]),
  ].join(" · ");
}
