import type { Person } from "../../both-sides/contract/people.ts";
import type { ShownFields } from "../fleet/conflict-notice.tsx";
import type { AdministrationTexts } from "../texts/texts.ts";

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
