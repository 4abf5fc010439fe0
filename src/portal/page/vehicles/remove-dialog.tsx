import { useCallback, useEffect, useId, useState } from "react";
import type { Effect, SubAccount } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { LoadingState } from "../common/empty-state.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { ChangedNotice } from "../fleet/conflict-notice.tsx";
import { EffectNote } from "../fleet/effect-note.tsx";
import { useSeen } from "../fleet/use-seen.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import { EraseConfirmation, isSameName } from "./erase-confirmation.tsx";
import { StoredHistoryNote } from "./stored-history.tsx";
import type { FleetVehicle, StoredHistory } from "./vehicle-records.ts";
import { vehicleFields } from "./vehicle-values.ts";

interface RemoveDialogProps {
  readonly vehicle: FleetVehicle;
  readonly people: readonly SubAccount[];
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Somebody else was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

type History = "keep" | "erase";

interface Preview {
  readonly effect: Effect;
  readonly stored: StoredHistory;
}

/** Removes a vehicle. The person says what becomes of its history. */
export function RemoveDialog({ vehicle, people, onClose, onRemoved, onStale }: RemoveDialogProps) {
  const { vehicles: words, fleet } = useAdministrationTexts();
  const { common } = useTexts();
  const show = useShow();
  const { device_id: id } = vehicle;
  const { revision, conflict, take } = useSeen(vehicle.revision);
  const name = String(conflict?.current.name ?? vehicle.name);
  const group = useId();
  const [history, setHistory] = useState<History>("keep");
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = `/fleet/devices/${id}/remove`;
  const look = useCallback(async (): Promise<Preview | null> => {
    try {
      // The same whatever becomes of the history.
      return (await send<{ data: Preview }>("POST", `${path}?preview=true`, { revision, history: "keep" })).data;
    } catch (cause) {
      if (take(cause)) return null;
      throw cause;
    }
  }, [path, revision, take]);
  const { loaded, reload } = useLoad(look);
  useEffect(() => {
    if (conflict !== null) onStale();
  }, [conflict, onStale]);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await send("POST", path, { revision, history });
      announce((history === "keep" ? words.removed : words.erased)(name));
      onRemoved();
    } catch (cause) {
      if (!take(cause)) setError(cause);
      setBusy(false);
    }
  };
  const [yes, yesAnyway] = history === "keep" ? [words.keepIt, fleet.removeAnyway] : [words.eraseIt, fleet.eraseAnyway];
  const choices: readonly (readonly [History, string, string])[] = [
    ["keep", words.keep, words.keepWhat],
    ["erase", words.erase, words.eraseWhat],
  ];
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose} wide>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        {conflict !== null && (
          <ChangedNotice conflict={conflict} {...vehicleFields(vehicle, { words, show, people })} />
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
            {isBusy ? words.working : conflict === null ? yes : yesAnyway}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
