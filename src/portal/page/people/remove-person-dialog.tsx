import { useCallback, useEffect, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { ChangedNotice } from "../fleet/conflict-notice.tsx";
import { useSeen } from "../fleet/use-seen.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { Person } from "./person.ts";
import { personFields } from "./person-fields.ts";

interface RemovePersonProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Somebody else was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

const histories = ["keep", "erase"] as const;

/** What is lost. */
interface Loss {
  readonly effect: Effect;
  /** The names of the keys that stop. */
  readonly keys: readonly string[];
}

/** What becomes of somebody who is removed is said and chosen. */
export function RemovePersonDialog({ person, onClose, onRemoved, onStale }: RemovePersonProps) {
  const { people: words, fleet } = useAdministrationTexts();
  const { revision, conflict, take } = useSeen(person.revision);
  const [history, setHistory] = useState<(typeof histories)[number]>("keep");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = `/fleet/users/${person.user_id}/remove`;
  const look = useCallback(async (): Promise<Loss | null> => {
    try {
      // The same whatever becomes of the person.
      return (await send<{ data: Loss }>("POST", `${path}?preview=true`, { revision, history: "keep" })).data;
    } catch (cause) {
      if (take(cause)) return null;
      throw cause;
    }
  }, [path, revision, take]);
  const { loaded, reload } = useLoad(look);
  useEffect(() => {
    if (conflict !== null) onStale();
  }, [conflict, onStale]);
  const name = String(conflict?.current.name ?? person.name);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await send("POST", path, { revision, history });
      announce(words.removed(name));
      onRemoved();
    } catch (cause) {
      if (!take(cause)) setError(cause);
      setBusy(false);
    }
  };
  const labels = { keep: [words.keep, words.keepWhat], erase: [words.erase, words.eraseWhat] } as const;
  const [yes, yesAnyway] =
    history === "erase" ? [words.eraseIt, fleet.eraseAnyway] : [words.removeIt, fleet.removeAnyway];
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        {conflict !== null && <ChangedNotice conflict={conflict} {...personFields(person, words)} />}
        {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
        <p>{words.removeNow}</p>
        <LossNote loss={loaded.data} sessions={person.sessions} />
        <fieldset className="history-choice">
          {histories.map((choice) => (
            <label key={choice} className="check">
              <input type="radio" name="history" checked={history === choice} onChange={() => setHistory(choice)} />
              <span>
                <strong>{labels[choice][0]}</strong>
                <span className="hint">
                  {labels[choice][1]} {choice === "erase" && fleet.cannotUndo}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {words.keepThem}
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={remove}>
            {isBusy ? words.removing : conflict === null ? yes : yesAnyway}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

/** More keys than these are only counted. */
const fewNames = 5;

function LossNote({ loss, sessions }: { readonly loss: Loss | null; readonly sessions: number }) {
  const { people: words, fleet } = useAdministrationTexts();
  const { common } = useTexts();
  const show = useShow();
  const sentence = ({ effect: { assignments_ended: vehicles }, keys }: Loss) => {
    const more = keys.length > fewNames ? " …" : "";
    const parts = [
      ...(vehicles > 0 ? [words.endsSight(common.vehicles(vehicles, show.number(vehicles)))] : []),
      ...(keys.length > 0
        ? [`${words.endsKeys(keys.length, show.number(keys.length))} (${keys.slice(0, fewNames).join(", ")}${more})`]
        : []),
      ...(sessions > 0 ? [words.endsSessions(sessions, show.number(sessions))] : []),
    ].join("; ");
    return parts === "" ? fleet.noEffect : `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`;
  };
  return (
    <div className="effect" aria-live="polite">
      {loss && (
        <p>
          <strong>{fleet.effect}:</strong> {sentence(loss)}
        </p>
      )}
    </div>
  );
}
