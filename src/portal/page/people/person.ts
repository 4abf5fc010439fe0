import type { Managed } from "../../records/portal-records.ts";
import type { ShownFields } from "../fleet/conflict-notice.tsx";
import type { AdministrationTexts } from "../texts/texts.ts";

/** Somebody of the account, as the owner sees them. */
export interface Person extends Managed {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: "owner" | "sub_account";
  readonly status: "active" | "disabled";
  readonly has_password: boolean;
  /** Whether nothing is mailed to the address until the person has confirmed it. */
  readonly needs_confirmation: boolean;
  readonly last_login_at: string | null;
  readonly created_at: string;
  readonly device_ids: readonly string[];
  /** How many can still be used. */
  readonly sessions: number;
  /** The newest link that can still be used. */
  readonly link: { readonly purpose: "invitation" | "reset"; readonly expires_at: string } | null;
}

/** A link that was just made: the only answer that holds it. */
export interface MadeLink extends NonNullable<Person["link"]> {
  readonly url: string;
  /** Null: this server sends no mail. */
  readonly is_mailed: boolean | null;
  readonly mail_problem: string | null;
}

/** A sub-account with the link that was made for it. */
export interface Invited {
  readonly data: Person;
  readonly link: MadeLink;
}

export interface RemovedPerson extends Pick<Person, "user_id" | "name" | "email"> {
  readonly removed_at: string;
}

/** How a conflict shows the fields of a person's line. */
export function personFields(
  { name, email, status }: Pick<Person, "name" | "email" | "status">,
  words: AdministrationTexts["people"],
): ShownFields {
  const names: Readonly<Record<string, string>> = { name: words.name, email: words.email, status: words.access };
  return {
    opened: { name, email, status },
    fieldName: (field) => names[field],
    fieldValue: (field, value) =>
      field === "status" ? (value === "disabled" ? words.disabled : words.enabled) : undefined,
  };
}
