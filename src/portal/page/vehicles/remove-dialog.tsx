import { useCallback, useId, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useLoad } from "../common/use-load.ts";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { EraseConfirmation, isSameName } from "./erase-confirmation.tsx";
import { StoredHistoryNote } from "./stored-history.tsx";
import type { FleetVehicle, StoredHistory } from "./vehicle-records.ts";

interface RemoveDialogProps {
  readonly vehicle: FleetVehicle;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

type History = "keep" | "erase";

/** Removes a vehicle. The person says what becomes of its history. */
export function RemoveDialog({ vehicle, onClose, onRemoved }: RemoveDialogProps) {
  const { vehicles: words, fleet } = useAdministrationTexts();
  const { common } = useTexts();
  const { device_id: id, name, revision } = vehicle;
  const group = useId();
  const [history, setHistory] = useState<History>("keep");
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = `/fleet/devices/${id}/remove`;
  const look = useCallback(
    () =>
      send<{ readonly data: { readonly effect: Effect; readonly stored: StoredHistory } }>(
        "POST",
        `${path}?preview=true`,
        // The same whatever becomes of the history.
        { revision, history: "keep" },
      ).then(({ data }) => data),
    [path, revision],
  );
  const { loaded, reload } = useLoad(look);
  const remove = async () => {
    setBusy(true);
    try {
      await send("POST", path, { revision, history });
      announce((history === "keep" ? words.removed : words.erased)(name));
      onRemoved();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const isConflict = error instanceof PortalError && error.code === "CONFLICT";
  const choices: readonly (readonly [History, string, string])[] = [
    ["keep", words.keep, words.keepWhat],
    ["erase", words.erase, words.eraseWhat],
  ];
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose} wide>
      <div className="dialog-form">
        {isConflict ? (
          <Notice kind="warning">{fleet.conflict}.</Notice>
        ) : (
          error !== null && <ErrorNotice error={error} />
        )}
        {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
        {loaded.data === null && loaded.state === "loading" && <LoadingState />}
        {loaded.data && <StoredHistoryNote stored={loaded.data.stored} />}
        <fieldset className="form-part">
          <legend>{words.historyTitle}</legend>
          <div className="choice-list">
            {choices.map(([value, title, what]) => (
              <label key={value} className="choice">
                <input
                  type="radio"
                  name={group}
                  data-first-focus={value === "keep" ? true : undefined}
                  checked={history === value}
                  onChange={() => setHistory(value)}
                />
                <span>
                  <strong>{title}</strong>
                  <small>{what}</small>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {(loaded.data?.effect.assignments_ended ?? 0) > 0 && <EffectNote effect={loaded.data?.effect ?? null} />}
        {history === "erase" && <EraseConfirmation name={name} typed={typed} onType={setTyped} />}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button
            type="button"
            className="button button-danger-solid"
            disabled={isBusy || (history === "erase" && !isSameName(name, typed))}
            onClick={remove}
          >
            {isBusy ? words.working : history === "keep" ? words.keepIt : words.eraseIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
