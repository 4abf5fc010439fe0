import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** Where a record was changed last, and what that means for the fleet file. */
export function ManagedBy({ by }: { readonly by: "file" | "portal" }) {
  const { fleet: words } = useAdministrationTexts();
  return <p className="hint">{by === "file" ? words.managedByFile : words.managedByPortal}</p>;
}
