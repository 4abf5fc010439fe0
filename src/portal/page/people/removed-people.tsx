import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { Dialog } from "../common/dialog.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { RemovedPerson } from "./person.ts";

interface RemovedPeopleProps {
  readonly people: readonly RemovedPerson[];
  readonly onErased: () => void;
}

/** Those who were removed and kept: they can still be erased. */
export function RemovedPeople({ people, onErased }: RemovedPeopleProps) {
  const { people: words } = useAdministrationTexts();
  const show = useShow();
  const [erased, setErased] = useState<RemovedPerson | null>(null);
  if (people.length === 0) return null;
  return (
    <details className="removed-people">
      <summary>{words.removedPeople(show.number(people.length))}</summary>
      <ul>
        {people.map((person) => (
          <li key={person.user_id} className="removed-person">
            <span>
              <strong>{person.name}</strong>
              <span className="hint">
                {person.email} · {words.removedAt(show.time(Date.parse(person.removed_at), "date"))}
              </span>
            </span>
            <button
              type="button"
              className="button button-small button-danger"
              aria-label={words.eraseWho(person.name)}
              onClick={() => setErased(person)}
            >
              {words.erase}
            </button>
          </li>
        ))}
      </ul>
      {erased && (
        <EraseDialog
          person={erased}
          onClose={() => setErased(null)}
          onErased={() => {
            setErased(null);
            onErased();
          }}
        />
      )}
    </details>
  );
}

interface EraseProps {
  readonly person: RemovedPerson;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

function EraseDialog({ person, onClose, onErased }: EraseProps) {
  const { people: words, fleet } = useAdministrationTexts();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const erase = async () => {
    setBusy(true);
    setError(null);
    try {
      await send("POST", `/fleet/removed-users/${person.user_id}/erase`, {});
      announce(words.erased(person.name));
      onErased();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.eraseTitle(person.name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>
          {words.eraseWhat} {fleet.cannotUndo}
        </p>
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {words.keepThem}
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={erase}>
            {isBusy ? words.removing : words.eraseIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
