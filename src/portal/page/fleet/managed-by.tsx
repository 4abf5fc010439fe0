import type { Managed } from "../../records/portal-records.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface ManagedByProps {
  readonly record: { readonly managed_by: Managed["managed_by"] | null; readonly is_made_here: boolean };
}

/** Where a record was changed last, and what that means for the fleet file. Nothing if no file ever had it. */
export function ManagedBy({ record }: ManagedByProps) {
  const { fleet: words } = useAdministrationTexts();
  if (record.managed_by === null || record.is_made_here) return null;
  return <p className="hint">{record.managed_by === "file" ? words.managedByFile : words.managedByPortal}</p>;
}
