import type { Preferences } from "../../../domain/preferences.ts";
import type { Call, List, One } from "./envelopes.ts";

/** Signing in, and what concerns the person who has. */
export interface SessionRoutes {
  "GET /session": Call<SessionAnswer>;
  "POST /session": Call<SessionAnswer, { readonly email: string; readonly password: string }>;
  "DELETE /session": Call<void>;
  "GET /sign-in": Call<SignInOffers>;
  "POST /password": Call<void, { readonly current_password?: string; readonly new_password: string }>;
  "POST /password/forgotten": Call<void, { readonly email: string; readonly language?: Preferences["language"] }>;
  "GET /sessions": Call<List<OwnSession>>;
  "DELETE /sessions/{session_id}": Call<void>;
  "POST /sessions/end-others": Call<{ readonly ended: number }>;
  "POST /openid/begin": Call<{ readonly address: string }, { readonly next: string | null }>;
  "POST /openid/finish": Call<
    { readonly session: SessionAnswer; readonly next: string | null },
    { readonly parameters: string }
  >;
  "POST /setup/link": Call<void, LinkToken>;
  "POST /setup": Call<SessionAnswer, LinkToken & NewAccount>;
  "POST /link": Call<One<OpenedLink>, LinkToken>;
  "POST /link/use": Call<SessionAnswer, LinkToken & { readonly new_password: string }>;
  "POST /link/confirm": Call<void, LinkToken>;
  "POST /email/confirmation": Call<One<ConfirmationMail>>;
  "PUT /preferences": Call<One<BothPreferences>, Partial<Preferences>>;
  "PUT /account/preferences": Call<One<BothPreferences>, Partial<Preferences>>;
}

export interface SessionAnswer {
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
  readonly preferences: BothPreferences;
  readonly map: MapSettings;
  /** Whether the person sees any. */
  readonly has_vehicles: boolean;
  /** Whether trackers send who drives, or the owner has named drivers. */
  readonly has_drivers: boolean;
  /** Whether streets are asked of a geocoder, which answers one question after the other. */
  readonly has_geocoder: boolean;
  /** Null: this is no demo, or all of its history is there. */
  readonly demo_history: DemoHistory | null;
  /** Null: the account's fleet is no made-up one. */
  readonly demo: DemoVisit | null;
  readonly base_url: string;
}

/** In an account with a made-up fleet. */
export interface DemoVisit {
  /** Whether the person came from an account of their own. */
  readonly may_leave: boolean;
}

/** How much there is of a demo's history, which is made while it is served. */
export interface DemoHistory {
  readonly days: number;
  readonly days_made: number;
}

/** What the person chose, and what the owner chose for everybody. */
export interface BothPreferences {
  readonly own: Preferences;
  readonly account: Preferences;
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

export interface SignInOffers {
  /** Whether it mails links to new passwords. */
  readonly sends_mail: boolean;
  /** Null: people sign in with passwords only. */
  readonly openid: { readonly name: string } | null;
  /** Whether there is no account yet. */
  readonly needs_setup: boolean;
}

/** Where the person is signed in. */
export interface OwnSession {
  readonly session_id: string;
  /** In the words of its maker, such as "Firefox · Windows". */
  readonly browser: string | null;
  readonly via: "password" | "link" | "openid";
  readonly started_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly is_current: boolean;
}

/** The end of a one-time link. In a body, not in the address: addresses are logged by proxies. */
interface LinkToken {
  readonly token: string;
}

/** The first account of a server, and its owner. */
interface NewAccount {
  readonly account_name: string;
  readonly time_zone: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface OpenedLink {
  readonly purpose: "invitation" | "reset" | "confirmation";
  readonly name: string;
  readonly email: string;
  readonly account_name: string;
  readonly expires_at: string;
}

/** What became of a mail that a person asked for. */
export interface ConfirmationMail {
  readonly is_mailed: boolean;
  readonly mail_problem: string | null;
}
