import type { Person } from "../../both-sides/contract/people.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";
import type { ConflictFields } from "../fleet/conflict-parts.ts";

/** How a conflict shows the fields of a person's line. */
export function personFields(
  { name, email, status }: Pick<Person, "name" | "email" | "status">,
  words: AdministrationTexts["people"],
): ConflictFields {
  const names: Readonly<Record<string, string>> = { name: words.name, email: words.email, status: words.access };
  return {
    opened: { name, email, status },
    fieldName: (field) => names[field],
    fieldValue: (field, value) =>
      field === "status" ? (value === "disabled" ? words.disabled : words.enabled) : undefined,
  };
}
