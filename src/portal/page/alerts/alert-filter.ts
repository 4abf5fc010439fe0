import type { Alert, Severity } from "../../both-sides/contract/data.ts";

/** Which alerts are shown: read from the address, so that it can be saved and shared. Pure. */
export interface AlertFilter {
  readonly state: ShownAlertState;
  readonly severities: readonly Severity[];
  /** Empty: all. */
  readonly alertType: string;
  /** Null: all that the person sees. */
  readonly vehicles: ReadonlySet<string> | null;
  readonly from: number;
  /** Null: the present, whenever that is. */
  readonly to: number | null;
}

export const alertStates = ["open", "acknowledged", "all"] as const;
export type ShownAlertState = (typeof alertStates)[number];

/** Entries and exits of fences are the most, and of the least severity: one click shows them. */
const defaultSeverities: readonly Severity[] = ["critical", "warning"];

export function readAlertState(text: string | null): ShownAlertState {
  return alertStates.find((state) => state === text) ?? "open";
}

/** `critical,info`; anything else is the default. */
export function readSeverities(text: string | null): readonly Severity[] {
  const named = (text ?? "").split(",");
  const known = (["critical", "warning", "info"] as const).filter((severity) => named.includes(severity));
  return known.length === 0 ? defaultSeverities : known;
}

/** For the address; null: the default, which needs no words. */
export function writeSeverities(severities: readonly Severity[]): string | null {
  const known = readSeverities(severities.join(","));
  return known.join() === defaultSeverities.join() ? null : known.join(",");
}

const acknowledgedOf: Readonly<Record<ShownAlertState, string | null>> = {
  open: "false",
  acknowledged: "true",
  all: null,
};

/** As the API takes them. */
export function parametersOf({ state, alertType, vehicles }: AlertFilter) {
  const [vehicle = null] = vehicles?.size === 1 ? vehicles : [];
  return { acknowledged: acknowledgedOf[state], alert_type: alertType, device_id: vehicle };
}

/** Whether the API can choose the vehicles: it takes one or all. */
export function isCountable({ vehicles }: AlertFilter): boolean {
  return vehicles === null || vehicles.size === 1;
}

export function isOfChosenVehicle({ vehicles }: AlertFilter, { device_id }: Alert): boolean {
  return vehicles === null || vehicles.has(device_id);
}

/** Whether an alert that became known meanwhile belongs into the list. */
export function isWanted(filter: AlertFilter, alert: Alert): boolean {
  const { state, severities, alertType, from, to } = filter;
  const at = Date.parse(alert.occurred_at);
  return (
    (state === "all" || alert.acknowledged === (state === "acknowledged")) &&
    severities.includes(alert.severity) &&
    (alertType === "" || alert.alert_type === alertType) &&
    isOfChosenVehicle(filter, alert) &&
    at >= from &&
    (to === null || at < to)
  );
}
