import { useEffect, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { FenceDetails } from "./fence-records.ts";

interface RemoveFenceProps {
  readonly fence: FenceDetails;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  readonly onReload: () => void;
}

/** More rules than these are only counted. */
const maxRules = 8;

/** Asks before a fence is removed, and says what depends on it. */
export function RemoveFence({ fence, onClose, onRemoved, onReload }: RemoveFenceProps) {
  const { common } = useTexts();
  const { fleet, fences: words } = useAdministrationTexts();
  const show = useShow();
  const { geofence_id, revision, name, rules } = fence;
  const path = `/fleet/geofences/${geofence_id}/remove`;
  const [effect, setEffect] = useState<Effect | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    send<{ data: { effect: Effect } }>("POST", `${path}?preview=true`, { revision }).then(
      ({ data }) => setEffect(data.effect),
      setError,
    );
  }, [path, revision]);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await send("POST", path, { revision });
      announce(words.gone(name));
      onRemoved();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const isChanged = error instanceof PortalError && error.code === "CONFLICT";
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose}>
      <div className="dialog-form">
        <p>{words.removeText}</p>
        {rules.length > 0 && (
          <>
            <p>{words.namedBy}</p>
            <ul className="named-by">
              {rules.slice(0, maxRules).map(({ id, name: vehicle }) => (
                <li key={id}>
                  {vehicle ?? (id === "all" ? words.ruleOfAll : words.ruleOfTag(id.slice("tag:".length)))}
                </li>
              ))}
              {rules.length > maxRules && <li>{words.andMore(show.number(rules.length - maxRules))}</li>}
            </ul>
          </>
        )}
        <EffectNote effect={effect && { ...effect, warnings: [] }} />
        {isChanged ? (
          <p className="problem" role="alert">
            {fleet.conflict}.{" "}
            <button type="button" className="link-button" onClick={onReload}>
              {fleet.takeTheirs}
            </button>
          </p>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {common.cancel}
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={remove}>
            {words.remove}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
