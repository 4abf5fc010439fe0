import type { Effect } from "../api/portal-records.ts";

/** Somebody of the account, as the owner sees them. */
export interface Person {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: "owner" | "sub_account";
  readonly status: "active" | "disabled";
  readonly has_password: boolean;
  readonly last_login_at: string | null;
  readonly created_at: string;
  readonly device_ids: readonly string[];
  /** How many can still be used. */
  readonly sessions: number;
  /** The newest link that can still be used. */
  readonly link: { readonly purpose: "invitation" | "reset"; readonly expires_at: string } | null;
  readonly revision: number;
  readonly managed_by: "file" | "portal";
  /** Added in the portal: no fleet file ever had it. */
  readonly is_made_here: boolean;
}

/** A link that was just made: the only answer that holds it. */
export interface MadeLink {
  readonly url: string;
  readonly purpose: "invitation" | "reset";
  readonly expires_at: string;
  /** Null: this server sends no mail. */
  readonly is_mailed: boolean | null;
  readonly mail_problem: string | null;
}

export interface Invited {
  readonly data: Person;
  readonly effect: Effect;
  readonly link: MadeLink;
}

/** Somebody who was removed and is kept. */
export interface RemovedPerson {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly removed_at: string;
}
