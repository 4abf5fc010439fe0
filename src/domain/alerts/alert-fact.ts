import { alertKind, type Severity } from "../alert-types.ts";
import type { AlertFact } from "../facts.ts";
import type { Episode } from "./episode.ts";

/** The alert that an episode is at present. */
export function alertFactOf(episode: Episode): AlertFact {
  const { alertType, qualifier, since, until, phase, threshold } = episode;
  const endedAt = phase === "ended" ? until : null;
  const value = measuredIn(episode);
  const { unit, message } = alertKind(alertType);
  return {
    kind: "alert",
    alertType,
    qualifier,
    occurredAt: since,
    endedAt,
    severity: severityOf(episode),
    message: message({ name: qualifier, value, threshold, unit }),
    receivedAt: episode.receivedAt,
    updatedAt: Math.max(episode.receivedAt, episode.updatedAt),
    latitude: episode.latitude,
    longitude: episode.longitude,
    speedKmh: episode.speedKmh,
    value,
    threshold,
    unit,
    fenceId: episode.fenceId,
    tripStartedAt: episode.tripStartedAt,
  };
}

/** The worst reading. Where time itself is measured, the duration: reported at the end, not with every frame. */
function measuredIn({ alertType, phase, since, until, worst }: Episode): number | null {
  if (alertKind(alertType).unit !== "s") return worst;
  return phase === "ended" ? Math.round((until - since) / 1000) : null;
}

/** The rule's severity, or else the type's, which rises with the worst value. */
function severityOf({ alertType, worst, threshold, severity }: Episode): Severity {
  if (severity !== null) return severity;
  const { severity: usual, isCritical } = alertKind(alertType);
  return worst !== null && threshold !== null && isCritical?.(worst, threshold) ? "critical" : usual;
}
