import type { Severity } from "../../../domain/alert-types.ts";
import type { RuleFeed } from "../contract/notifications.ts";

/** Which alerts somebody is to be mailed of. Null: any. */
interface Wanted {
  readonly alert_types: readonly string[] | null;
  readonly severities: readonly Severity[] | null;
}

/** Of the rules in force for the vehicles meant, those that raise alerts which are mailed. None: nothing is ever mailed. */
export function feeding({ alert_types, severities }: Wanted, feeds: readonly RuleFeed[]): readonly RuleFeed[] {
  return feeds.filter(
    (feed) =>
      (alert_types === null || alert_types.includes(feed.alert_type)) &&
      (severities === null || feed.severities.some((severity) => severities.includes(severity))),
  );
}
