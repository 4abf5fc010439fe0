import { instantOrNull } from "../../api/records/values.ts";
import { formatInstant } from "../../domain/time/time.ts";
import type { UsedApiKeyRow } from "../../store/access/api-keys.ts";
import type { ApiKey } from "../both-sides/contract/keys.ts";

/** A key as the portal shows it, with what it has used of today. */
export function keyRecord(row: UsedApiKeyRow, now: number): ApiKey {
  return {
    key_id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.split(" "),
    creator: { user_id: row.user_id, name: row.user_name },
    created_at: formatInstant(row.created_at),
    expires_at: instantOrNull(row.expires_at),
    revoked_at: instantOrNull(row.revoked_at),
    replaced_by: row.replaced_by,
    last_used_at: instantOrNull(row.last_used_at),
    limit_per_second: row.limit_per_second,
    limit_per_day: row.limit_per_day,
    requests_today: row.day_used ?? 0,
    limit_today: Math.min(
      row.limit_per_day ?? row.account_per_day,
      row.account_per_day,
      row.together_per_day ?? row.account_per_day,
    ),
    state: stateOf(row, now),
  };
}

/** A key works only as long as its creator may sign in; if the creator is enabled again, so is the key. */
function stateOf({ revoked_at, expires_at, user_status }: UsedApiKeyRow, now: number): ApiKey["state"] {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && expires_at <= now) return "expired";
  return user_status;
}
