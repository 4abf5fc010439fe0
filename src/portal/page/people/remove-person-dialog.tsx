import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { Person } from "./person.ts";

interface RemovePersonProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

const histories = ["keep", "erase"] as const;

/** What becomes of somebody who is removed is said and chosen. */
export function RemovePersonDialog({ person, onClose, onRemoved }: RemovePersonProps) {
  const { people: words, fleet } = useAdministrationTexts();
  const [history, setHistory] = useState<(typeof histories)[number]>("keep");
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    setError(null);
    try {
      await send("POST", `/fleet/users/${person.user_id}/remove`, { revision: person.revision, history });
      announce(words.removed(person.name));
      onRemoved();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  const labels = { keep: [words.keep, words.keepWhat], erase: [words.erase, words.eraseWhat] } as const;
  return (
    <Dialog title={words.removeTitle(person.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.removeNow}</p>
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
            {isBusy ? words.removing : history === "erase" ? words.eraseIt : words.removeIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
