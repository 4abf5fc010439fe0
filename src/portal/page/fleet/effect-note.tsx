import type { Effect } from "../api/portal-records.ts";
import { Notice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { effectSentence } from "./effect.ts";

/** What a change concerns, before it is saved. Nothing while that is not known. */
export function EffectNote({ effect }: { readonly effect: Effect | null }) {
  const show = useShow();
  const texts = useAdministrationTexts();
  return (
    <div className="effect" aria-live="polite">
      {effect && (
        <p>
          <strong>{texts.fleet.effect}:</strong> {effectSentence(effect, show, texts)}
        </p>
      )}
      {effect?.warnings.map((warning) => (
        <Notice key={warning} kind="warning">
          <p>{warning}</p>
        </Notice>
      ))}
    </div>
  );
}
