import type { Effect, Managed } from "../../both-sides/contract/envelopes.ts";
import { Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { effectSentence, warningSentence } from "./effect-words.ts";

/** What a change concerns, before it is saved. Nothing while that is not known. */
export function EffectNote({ effect }: { readonly effect: Effect | null }) {
  const texts = useAdministrationTexts();
  return (
    <div className="effect" aria-live="polite">
      {effect && (
        <p>
          <strong>{texts.fleet.effect}:</strong> {effectSentence(effect, texts)}
        </p>
      )}
      {effect && effect.warnings.length > 0 && (
        <Notice kind="warning">
          {effect.warnings.map((warning) => (
            <p key={JSON.stringify(warning)}>{warningSentence(warning, texts)}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}

interface ManagedByProps {
  readonly record: { readonly managed_by: Managed["managed_by"] | null; readonly is_made_here: boolean };
}

/** Where a record was changed last, and what that means for the fleet file. Nothing if no file ever had it. */
export function ManagedByNote({ record }: ManagedByProps) {
  const { fleet: words } = useAdministrationTexts();
  if (record.managed_by === null || record.is_made_here) return null;
  return <p className="hint">{record.managed_by === "file" ? words.managedByFile : words.managedByPortal}</p>;
}
