import type { Preferences } from "../../domain/preferences.ts";

export type { Effect, EffectWarning } from "../../fleet/consequences/effect-types.ts";

/** Records that only the portal has. The API's own are in records.ts. */
export interface Session {
  readonly user: {
    readonly user_id: string;
    readonly name: string;
    readonly email: string;
    readonly role: "owner" | "sub_account";
    /** Whether they sign in with a password, perhaps besides other ways. */
    readonly has_password: boolean;
    /** Whether nothing is mailed to the address until they have confirmed it. */
    readonly needs_confirmation: boolean;
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
  readonly map: MapSettings;
  /** Whether the person sees any. */
  readonly has_vehicles: boolean;
  /** Whether trackers send who drives, or the owner has named somebody. */
  readonly has_drivers: boolean;
  /** Whether places have names beyond those of fences: by a geocoder, or from the street tiles. */
  readonly has_geocoder: boolean;
  readonly base_url: string;
}

/** What the operator set for the map. */
export interface MapSettings {
  /** The address of a map style; null for the map that comes with the program. */
  readonly style: string | null;
  /** The one for dark mode; null: the other one. */
  readonly style_dark: string | null;
  /** Null: no streets. */
  readonly tiles: StreetTiles | null;
  /** Why there are no streets although there should be. */
  readonly problem: "tiles_unusable" | null;
}

/** Street tiles of our own server, in the Protomaps schema. */
export interface StreetTiles {
  /** With places for `{z}`, `{x}` and `{y}`. It changes with the archive. */
  readonly url: string;
  readonly min_zoom: number;
  readonly max_zoom: number;
  /** West, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  /** Whom the map must name, as HTML. */
  readonly attribution: string;
  /** Whether a tile that is missing is to be drawn from the one above it. */
  readonly is_sparse: boolean;
}

/** What is known of every record that the fleet file or the portal manages. */
export interface Managed {
  readonly revision: number;
  /** Where it was changed last. */
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
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
  /** Null: the person was erased since. */
  readonly acknowledged_by: string | null;
  readonly acknowledged_by_name: string | null;
}
