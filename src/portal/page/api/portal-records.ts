import type { Preferences } from "../../../domain/preferences.ts";

/** Records that only the portal has. The API's own are in records.ts. */
export interface Session {
  readonly user: {
    readonly user_id: string;
    readonly name: string;
    readonly email: string;
    readonly role: "owner" | "sub_account";
  };
  readonly account: {
    readonly account_id: string;
    readonly name: string;
    /** The IANA name. */
    readonly time_zone: string;
    readonly limits: {
      readonly per_second: number;
      readonly per_day: number;
      /** For all keys together; null: no such limit. */
      readonly account_per_day: number | null;
    };
  };
  /** What the person chose, and what the owner chose for everybody. */
  readonly preferences: { readonly own: Preferences; readonly account: Preferences };
  /** The address of a map style; null for the map that comes with the program. */
  readonly map_style: string | null;
  readonly base_url: string;
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

/** The answer to making a key: the only one that holds the key itself. */
export interface MadeKey {
  readonly data: ApiKey;
  readonly key: string;
}

export interface ScopeWords {
  readonly scope: string;
  readonly grants: string;
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

export interface Usage {
  readonly days: readonly string[];
  readonly data: readonly UsageRow[];
}

export interface SubAccount {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly status: "active" | "disabled";
  readonly device_ids: readonly string[];
}

export interface Acknowledgement {
  readonly alert_id: string;
  readonly acknowledged_at: string;
  readonly acknowledged_by: string;
  readonly acknowledged_by_name: string;
}
