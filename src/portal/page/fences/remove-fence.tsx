import { useCallback } from "react";
import { to } from "../../both-sides/address.ts";
import type { FenceDetails } from "../../both-sides/contract/fences.ts";
import { preview, send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { LinkButton } from "../common/elements/button.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { conflictOf } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface RemoveFenceProps {
  readonly fence: FenceDetails;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  readonly onReload: () => void;
}

/** More rules than these are only counted. */
const maxRules = 8;

/** Asks before a fence is removed, and says what depends on it. It can be put back, so there is no history to choose. */
export function RemoveFence({ fence, onClose, onRemoved, onReload }: RemoveFenceProps) {
  const { fleet, fences: words, show } = useAdministrationTexts();
  const { geofence_id, revision, name, rules } = fence;
  const target = to("POST /fleet/geofences/{geofence_id}/remove", { geofence_id });
  const { loaded } = useLoad(useCallback(() => preview(target, { revision }), [target, revision]));
  const { submit, error: refused, isBusy } = useSubmit();
  const remove = async () => {
    await send(target, { revision });
    announce(words.gone(name));
    onRemoved();
  };
  const error = refused ?? (loaded.state === "failed" ? loaded.error : null);
  const isChanged = conflictOf(error) !== null;
  return (
    <FormDialog
      title={words.removeTitle(name)}
      error={isChanged ? null : error}
      isBusy={isBusy}
      words={[words.remove, words.remove]}
      isDangerous
      onConfirm={() => submit(remove)}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
      {rules.length > 0 && (
        <>
          <p>{words.namedBy}</p>
          <ul className="named-by">
            {rules.slice(0, maxRules).map(({ id, name: vehicle }) => (
              <li key={id}>{vehicle ?? (id === "all" ? words.ruleOfAll : words.ruleOfTag(id.slice("tag:".length)))}</li>
            ))}
            {rules.length > maxRules && <li>{words.andMore(show.number(rules.length - maxRules))}</li>}
          </ul>
        </>
      )}
      <EffectNote effect={loaded.data && { ...loaded.data.data.effect, warnings: [] }} />
      {isChanged && (
        <p className="problem" role="alert">
          {fleet.conflict}. <LinkButton onClick={onReload} text={fleet.takeTheirs} />
        </p>
      )}
    </FormDialog>
  );
}
