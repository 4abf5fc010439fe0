import type { Scope } from "../../../domain/scopes.ts";
import type { Call, List, One } from "./envelopes.ts";

export interface KeyRoutes {
  "GET /keys": Call<List<ApiKey>>;
  "POST /keys": Call<MadeKey, NewKey>;
  "POST /keys/{key_id}/rotate": Call<MadeKey & { readonly old: ApiKey }, { readonly overlap_hours: number }>;
  "POST /keys/{key_id}/revoke": Call<One<ApiKey>>;
  "GET /usage": Call<Usage>;
}

export interface ApiKey {
  readonly key_id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly creator: { readonly user_id: string; readonly name: string };
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** The id of the successor, if the key is being replaced. */
  readonly replaced_by: string | null;
  readonly last_used_at: string | null;
  readonly limit_per_second: number | null;
  readonly limit_per_day: number | null;
  readonly requests_today: number;
  readonly limit_today: number;
  /** `disabled`: its creator may no longer sign in. */
  readonly state: "active" | "disabled" | "expired" | "revoked";
}

/** What a key may have less than its account; null: no less. */
interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expires_at?: string | null;
  readonly per_second?: number | null;
  readonly per_day?: number | null;
}

/** The answer to making a key: the only one that holds the key itself. */
export interface MadeKey extends One<ApiKey> {
  readonly key: string;
}

export interface UsageRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_prefix: string;
  readonly endpoint: string;
  readonly date: string;
  readonly requests: number;
  readonly not_modified: number;
  readonly refused: number;
  readonly errors: number;
}

export interface Usage extends List<UsageRow> {
  readonly days: readonly string[];
}
