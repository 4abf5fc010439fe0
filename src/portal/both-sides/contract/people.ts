import type { UserRole, UserStatus } from "../../../domain/fleet.ts";
import type {
  Call,
  ChangedFields,
  Edited,
  EditPreview,
  Fields,
  List,
  Managed,
  One,
  RemoveCall,
  SeenRevision,
} from "./envelopes.ts";

export interface PeopleRoutes {
  /** The sub-accounts with the devices of each; for a sub-account, itself. */
  "GET /users": Call<List<SubAccount>>;
  "GET /fleet/users": Call<List<Person>>;
  "POST /fleet/users": Call<Edited<Person> & HandedOver, { readonly fields: Fields }, EditPreview>;
  "PUT /fleet/users/{user_id}": Call<
    Edited<Person>,
    ChangedFields & { readonly current_password?: string },
    EditPreview
  >;
  "PUT /fleet/users/{user_id}/vehicles": Call<Edited<Person>, VisibleVehicles, EditPreview>;
  "POST /fleet/users/{user_id}/link": Call<One<Person> & HandedOver>;
  "POST /fleet/users/{user_id}/end-sessions": Call<One<Person> & { readonly ended: number }>;
  /** What stops: the names of the person's keys. */
  "POST /fleet/users/{user_id}/remove": RemoveCall<{ readonly keys: readonly string[] }>;
  "GET /fleet/removed-users": Call<List<RemovedPerson>>;
  "POST /fleet/removed-users/{user_id}/erase": Call<One<{ readonly user_id: string }>>;
  "GET /fleet/drivers": Call<List<DriverRecord> & { readonly unnamed: readonly UnnamedDriverId[] }>;
  "POST /fleet/drivers": Call<Edited<DriverRecord>, { readonly fields: Fields }, EditPreview>;
  "PUT /fleet/drivers/{driver_id}": Call<Edited<DriverRecord>, ChangedFields, EditPreview>;
  "POST /fleet/drivers/{driver_id}/erase": Call<Edited<{ readonly id: string }>, SeenRevision>;
}

export interface SubAccount {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly status: UserStatus;
  readonly device_ids: readonly string[];
}

/** A person of the account, as the owner sees them. */
export interface Person extends SubAccount, Managed {
  readonly role: UserRole;
  readonly has_password: boolean;
  /** Whether nothing is mailed to the address until the person has confirmed it. */
  readonly needs_confirmation: boolean;
  readonly last_login_at: string | null;
  readonly created_at: string;
  /** How many can still be used. */
  readonly sessions: number;
  /** The newest link that can still be used. */
  readonly link: { readonly purpose: PasswordPurpose; readonly expires_at: string } | null;
}

/** Why a person chooses a password. */
type PasswordPurpose = "invitation" | "reset";

/** A link that was just made: the only answer that holds it. */
export interface MadeLink {
  readonly url: string;
  readonly purpose: PasswordPurpose;
  readonly expires_at: string;
  /** Null: this server sends no mail. */
  readonly is_mailed: boolean | null;
  readonly mail_problem: string | null;
}

interface HandedOver {
  readonly link: MadeLink;
}

/** Only the differences: what another person assigned meanwhile stays. */
interface VisibleVehicles {
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

export interface RemovedPerson {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly removed_at: string;
}

/** A driver as the owner sees them. */
export interface DriverRecord extends Managed {
  readonly id: string;
  readonly name: string;
  readonly driver_ids: readonly string[];
}

/** An id that a tracker sent lately and that no driver has. */
export interface UnnamedDriverId {
  readonly driver_id: string;
  readonly seen_at: string;
}
