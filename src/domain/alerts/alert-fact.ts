import { defaultSeverityByAlertType, type Severity } from "../alert-types.ts";
import type { AlertFact } from "../facts.ts";
import type { Episode } from "./episode.ts";
import { alertMessage, alertUnit } from "./messages.ts";

/** The alert that an episode is at present. */
export function alertFactOf(episode: Episode): AlertFact {
  const { alertType, qualifier, since, until, phase, threshold } = episode;
  const endedAt = phase === "ended" ? until : null;
  const value = measuredIn(episode);
  return {
    kind: "alert",
    alertType,
    qualifier,
    occurredAt: since,
    endedAt,
    severity: severityOf(episode),
    message: alertMessage(alertType, qualifier, value, threshold),
    receivedAt: episode.receivedAt,
    updatedAt: Math.max(episode.receivedAt, episode.updatedAt),
    latitude: episode.latitude,
    longitude: episode.longitude,
    speedKmh: episode.speedKmh,
    value,
    threshold,
    unit: alertUnit(alertType),
    fenceId: episode.fenceId,
    tripStartedAt: episode.tripStartedAt,
  };
}

/** The worst reading. Where time itself is measured, the duration: reported at the end, not with every frame. */
function measuredIn({ alertType, phase, since, until, worst }: Episode): number | null {
  if (alertType !== "idling" && alertType !== "gps_lost") return worst;
  return phase === "ended" ? Math.round((until - since) / 1000) : null;
}

/** The rule's severity, or else the type's, which rises with the worst value. */
function severityOf({ alertType, worst, threshold, severity }: Episode): Severity {
  if (severity !== null) return severity;
  if (worst !== null && threshold !== null && isCritical(alertType, worst, threshold)) return "critical";
  return defaultSeverityByAlertType[alertType];
}

function isCritical(alertType: Episode["alertType"], worst: number, threshold: number): boolean {
  switch (alertType) {
    case "speeding":
      return worst >= threshold + 30;
    case "low_battery":
      return worst < 10;
    case "temperature_high":
      return worst >= threshold + 5;
    case "temperature_low":
      return worst <= threshold - 5;
    case "tyre_pressure_low":
      // 70 % of the nominal pressure; the threshold is 80 % of it.
      return worst * 8 <= threshold * 7;
    default:
      return false;
  }
}
