import type { ReportScope } from "../../both-sides/reports/scope.ts";
import type { Texts } from "../../both-sides/texts/texts.ts";
import type { useTexts } from "../texts/use-texts.ts";

type Words = Pick<ReturnType<typeof useTexts>, "common" | "show">;

/** The days of a report, and whose days these are: "16 Nov – 22 Nov · Days of Europe/Berlin". */
export function daysWords({ period: { from, to }, zone }: ReportScope, { common, show }: Words): string {
  const days = [...new Set([from, to])].map((day) => show.day(day)).join(" – ");
  return `${days} · ${common.daysOfZone(zone)}`;
}

/** Which vehicles a report is about. */
export function vehicleWords({ chosen, devices }: ReportScope, common: Texts["common"]): string {
  const tags = chosen.tags.map((tag) => `${common.tag}: ${tag}`);
  const vehicles = chosen.vehicles.map((id) => devices?.get(id)?.name ?? id);
  return [...tags, ...vehicles].join(", ") || common.allVehicles;
}
