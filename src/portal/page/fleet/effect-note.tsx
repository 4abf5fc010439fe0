import type { Effect } from "../../records/portal-records.ts";
import { Notice } from "../common/loading/notice.tsx";
import { useShow } from "../common/reading/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { effectSentence, warningSentence } from "./effect-words.ts";

/** What a change concerns, before it is saved. Nothing while that is not known. */
export function EffectNote({ effect }: { readonly effect: Effect | null }) {
  const show = useShow();
  const common = useTexts();
  const texts = useAdministrationTexts();
  return (
    <div className="effect" aria-live="polite">
      {effect && (
        <p>
          <strong>{texts.fleet.effect}:</strong> {effectSentence(effect, show, common, texts)}
        </p>
      )}
      {effect && effect.warnings.length > 0 && (
        <Notice kind="warning">
          {effect.warnings.map((warning) => (
            <p key={JSON.stringify(warning)}>{warningSentence(warning, show, common, texts)}</p>
          ))}
        </Notice>
      )}
    </div>
  );
}
