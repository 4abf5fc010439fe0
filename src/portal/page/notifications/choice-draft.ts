import { alertTypes, type Severity, severities } from "../../../domain/alert-types.ts";
import type { Pacing } from "../../../domain/notifications/choice.ts";
import type { NotificationRecord, RuleFeed } from "../../both-sides/contract/notifications.ts";
import { severitiesOfTypes } from "./feed-words.ts";

/** What a person fills in. */
export interface ChoiceDraft {
  readonly userId: string;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly severities: ReadonlySet<Severity>;
  /** Whether the person has chosen them. Until then they follow the types. */
  readonly hasOwnSeverities: boolean;
  /** Null: all vehicles. */
  readonly vehicles: { readonly tags: ReadonlySet<string>; readonly ids: ReadonlySet<string> } | null;
  readonly pacing: Pacing;
  readonly tellsEnd: boolean;
  /** Null: no quiet hours. */
  readonly quiet: { readonly from: string; readonly until: string } | null;
  /** Null: the account's. */
  readonly zone: string | null;
}

/** What most want: what is critical, at once. */
export function newDraft(userId: string): ChoiceDraft {
  return {
    userId,
    types: null,
    severities: new Set(["critical"]),
    hasOwnSeverities: false,
    vehicles: null,
    pacing: "at_once",
    tellsEnd: false,
    quiet: null,
    zone: null,
  };
}

export function choiceDraftOf(record: NotificationRecord): ChoiceDraft {
  const { tags, device_ids, quiet_from: from, quiet_until: until } = record;
  return {
    userId: record.user_id,
    types: record.alert_types && new Set(record.alert_types),
    severities: new Set(record.severities ?? severities),
    hasOwnSeverities: record.severities !== null,
    vehicles: tags === null && device_ids === null ? null : { tags: new Set(tags), ids: new Set(device_ids) },
    pacing: record.pacing,
    tellsEnd: record.tells_end,
    quiet: from === null || until === null ? null : { from, until },
    zone: record.time_zone,
  };
}

/** The severities that the chosen types of alert can have. Of all types: all. Pure. */
export function possibleSeverities({ types }: ChoiceDraft, feeds: readonly RuleFeed[]): ReadonlySet<Severity> {
  return types === null || types.size === 0 ? new Set(severities) : severitiesOfTypes(types, feeds);
}

/** Those that are wanted: the ones that the person chose, or with certain types all that these can have. Pure. */
export function wantedSeverities(draft: ChoiceDraft, feeds: readonly RuleFeed[]): ReadonlySet<Severity> {
  const possible = possibleSeverities(draft, feeds);
  if (draft.types !== null && !draft.hasOwnSeverities) return possible;
  return draft.severities.intersection(possible);
}

/** What is sent; null while something is missing. Pure. */
export function choiceBody(draft: ChoiceDraft, feeds: readonly RuleFeed[], isStopped: boolean) {
  const { types, vehicles, quiet } = draft;
  const chosen = wantedSeverities(draft, feeds);
  // Those that a rule gives its alerts later on are wanted, too.
  const isEvery = chosen.size === possibleSeverities(draft, feeds).size;
  const isEmpty = vehicles !== null && vehicles.tags.size + vehicles.ids.size === 0;
  if (types?.size === 0 || chosen.size === 0 || isEmpty || quiet?.from === "" || quiet?.until === "") {
    return null;
  }
  const some = (set: ReadonlySet<string> | undefined) => (set === undefined || set.size === 0 ? null : [...set]);
  return {
    user_id: draft.userId,
    alert_types: types && alertTypes.filter((type) => types.has(type)),
    severities: isEvery ? null : [...chosen],
    tags: some(vehicles?.tags),
    device_ids: some(vehicles?.ids),
    pacing: draft.pacing,
    tells_end: draft.tellsEnd,
    quiet_from: quiet?.from ?? null,
    quiet_until: quiet?.until ?? null,
    time_zone: draft.zone,
    is_stopped: isStopped,
  };
}

/** What is sent of a choice that is there already. Pure. */
export function recordBody(record: NotificationRecord) {
  const { user_id, alert_types, severities, tags, device_ids, pacing, tells_end, time_zone } = record;
  const { quiet_from, quiet_until, stopped_at } = record;
  const types = alert_types && alertTypes.filter((type) => alert_types.includes(type));
  const which = { alert_types: types, severities, tags, device_ids };
  return { user_id, ...which, pacing, tells_end, quiet_from, quiet_until, time_zone, is_stopped: stopped_at !== null };
}
