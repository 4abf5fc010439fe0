// Made from the description by scripts/client-types.ts: change the description instead.

/** List sub-accounts: what may be asked for. */
export interface ListUsersQuery {
  /** Rows per page. */
  limit?: number | undefined;
  /** Only these fields of each record, separated by commas. Fields that identify a row are always there: ids, and where they are the key, time, date, period, tag. A field that this answer cannot have is 400. Records then lack others that their schema requires: `/openapi.json?rows=any` describes them so. Omitted: all fields. */
  fields?: string | undefined;
  /** Adds names beside their ids: `device_name`, `plate`, `geofence_name`, `geofence_names`, `user_name`. Null: none, or not to be seen. */
  include_names?: boolean | undefined;
}

/** A sub-account: a user who sees a part of the fleet. */
export interface User {
  /** The sub-account's id. */
  user_id: string;
  /** The person's or the department's name. */
  name: string;
  /** What they sign in with. */
  email: string;
  /** Keys of a disabled user are refused. */
  status: "active" | "disabled";
  /** How many devices the sub-account sees. */
  device_count: number;
  /** When they last signed in to the portal; null: never. */
  last_login_at: string | null;
  /** When the sub-account was first loaded. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The person's name, for a key with the scope `users:read`. Only with `include_names`. */
  user_name?: string | null;
}
