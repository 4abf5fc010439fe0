import { type AlertType, alertKind, alertTypes, type Severity } from "../../../domain/alert-types.ts";
import type { NotificationRecord, RuleFeed } from "../../both-sides/contract/notifications.ts";
import { feeding } from "../../both-sides/notifications/feeds.ts";

type Wanted = Pick<NotificationRecord, "alert_types" | "severities">;

/** What becomes of a type of alert that somebody is to be mailed of. */
export interface FedType {
  readonly type: AlertType;
  /** Null: no rule in force raises it. */
  readonly feed: RuleFeed | null;
  /** Whether it is mailed: not if it is raised with other severities only. */
  readonly isMailed: boolean;
}

/** Of every type that is wanted. Pure. */
export function fedTypes(wanted: Wanted, feeds: readonly RuleFeed[]): readonly FedType[] {
  const mailed = new Set(feeding(wanted, feeds).map(({ alert_type }) => alert_type));
  return alertTypes
    .filter((type) => wanted.alert_types === null || wanted.alert_types.includes(type))
    .map((type) => {
      const feed = feeds.find(({ alert_type }) => alert_type === type) ?? null;
      return { type, feed, isMailed: mailed.has(type) };
    });
}

/** The severities that alerts of these types can have; of a type that is off, those that it would have. Pure. */
export function severitiesOfTypes(types: Iterable<string>, feeds: readonly RuleFeed[]): ReadonlySet<Severity> {
  const found = new Set<Severity>();
  for (const type of types) {
    const feed = feeds.find(({ alert_type }) => alert_type === type);
    for (const severity of feed?.severities ?? usualSeverities(type as AlertType)) found.add(severity);
  }
  return found;
}

function usualSeverities(type: AlertType): readonly Severity[] {
  const { severity, isCritical } = alertKind(type);
  return isCritical === null ? [severity] : [severity, "critical"];
}

/** Where the rules for the vehicles of a notification are set: for all, for a tag, or for a vehicle. Pure. */
export function rulesPath(
  { tags, device_ids }: Pick<NotificationRecord, "tags" | "device_ids">,
  type: AlertType,
): string {
  const [tag, ...tagsToo] = tags ?? [];
  const [vehicle, ...vehiclesToo] = device_ids ?? [];
  const isOne = tagsToo.length + vehiclesToo.length === 0;
  const scope =
    isOne && tag !== undefined && vehicle === undefined
      ? `tag:${tag}`
      : isOne && tag === undefined
        ? (vehicle ?? null)
        : null;
  const whom = scope === null ? "" : `for=${encodeURIComponent(scope)}&`;
  return `/fleet/rules?${whom}edit=${type}&on=true`;
}
