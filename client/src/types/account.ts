// Made from the description by scripts/client-types.ts: change the description instead.

/** Who calls, what they may read, and what is left of their limits. */
export interface Caller {
  /** The account. */
  account: CallerAccount;
  /** The user whose key it is. */
  user: CallerUser;
  /** The key; null only in the console of the reference, which has none. */
  key: CallerKey | null;
  /** What is left. The `ETag` does not depend on it. */
  limits: CallerLimits;
  /** When the newest frame of the visible devices was received; null: none ever was. */
  newest_frame_at: string | null;
}

/** The account that the key belongs to. */
export interface CallerAccount {
  /** The account's id. */
  account_id: string;
  /** Its name. */
  name: string;
  /** The IANA time zone by which its days are counted; `UTC` unless it has one. */
  time_zone: string;
}

/** The user whose key it is: the key sees what they see. */
export interface CallerUser {
  /** The user's id. */
  user_id: string;
  /** Their name. */
  name: string;
  /** An owner sees all devices, a sub-account those assigned to it. */
  role: "owner" | "sub_account";
}

/** The key that calls. */
export interface CallerKey {
  /** The key's id. */
  key_id: string;
  /** What it was called when it was made. */
  name: string;
  /** How the key begins, by which people recognise it. */
  prefix: string;
  /** What it may read. */
  scopes: Scope[];
  /** When it ends; null: it does not. */
  expires_at: string | null;
}

/** What a key may read. */
export type Scope =
  | "devices:read"
  | "positions:read"
  | "trips:read"
  | "alerts:read"
  | "sensors:read"
  | "geofences:read"
  | "users:read"
  | "reports:read";

/** How often the key may call, and what is left. */
export interface CallerLimits {
  /** Requests allowed per second. */
  per_second: number;
  /** Requests allowed per UTC day, as in `X-RateLimit-Limit`. */
  per_day: number;
  /** Requests left today, after this one. */
  remaining_today: number;
  /** When the daily counter resets: the next midnight UTC. */
  resets_at: string;
}

/** Every failure has this body. */
export interface ErrorAnswer {
  error: ErrorDetail;
  /** Identifies the call, for support; the same as `X-Request-Id`. */
  request_id: string;
}

/** What went wrong. */
export interface ErrorDetail {
  code: ErrorCode;
  /** For people. Its wording may change. */
  message: string;
  /** With `INSUFFICIENT_SCOPE`: what the endpoint needs. */
  required_scopes?: Scope[];
  /** With `INSUFFICIENT_SCOPE`: what the key holds. */
  granted_scopes?: Scope[];
}

/** Stable: branch on it, never on the message. */
export type ErrorCode =
  | "INVALID_REQUEST"
  | "INVALID_API_KEY"
  | "INSUFFICIENT_SCOPE"
  | "NOT_FOUND"
  | "CURSOR_EXPIRED"
  | "METHOD_NOT_ALLOWED"
  | "BODY_TOO_LARGE"
  | "RATE_LIMITED"
  | "INTERNAL";
