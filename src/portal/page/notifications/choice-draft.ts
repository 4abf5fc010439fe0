import { alertTypes, type Severity, severities } from "../../../domain/alert-types.ts";
import type { Pacing } from "../../../domain/notifications/choice.ts";
import type { NotificationRecord } from "../../both-sides/contract/notifications.ts";

/** What a person fills in. */
export interface ChoiceDraft {
  readonly userId: string;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  readonly severities: ReadonlySet<Severity>;
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
    vehicles: tags === null && device_ids === null ? null : { tags: new Set(tags), ids: new Set(device_ids) },
    pacing: record.pacing,
    tellsEnd: record.tells_end,
    quiet: from === null || until === null ? null : { from, until },
    zone: record.time_zone,
  };
}

/** What is sent; null while something is missing. Pure. */
export function choiceBody(draft: ChoiceDraft, isStopped: boolean) {
  const { types, vehicles, quiet } = draft;
  const isEmpty = vehicles !== null && vehicles.tags.size + vehicles.ids.size === 0;
  if (types?.size === 0 || draft.severities.size === 0 || isEmpty || quiet?.from === "" || quiet?.until === "") {
    return null;
  }
  const some = (set: ReadonlySet<string> | undefined) => (set === undefined || set.size === 0 ? null : [...set]);
  return {
    user_id: draft.userId,
    alert_types: types && alertTypes.filter((type) => types.has(type)),
    severities: draft.severities.size === severities.length ? null : [...draft.severities],
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
