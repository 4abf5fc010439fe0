import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { ConfirmDialog } from "../common/form-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { RemovedPerson } from "./person.ts";

interface RemovedPeopleProps {
  readonly people: readonly RemovedPerson[];
  readonly onErased: () => void;
}

/** Those who were removed and kept: they can still be erased. */
export function RemovedPeople({ people, onErased }: RemovedPeopleProps) {
  const { people: words, fleet, show } = useAdministrationTexts();
  const [erased, setErased] = useState<RemovedPerson | null>(null);
  if (people.length === 0) return null;
  const erase = async ({ user_id, name }: RemovedPerson) => {
    await send("POST", `/fleet/removed-users/${user_id}/erase`, {});
    announce(words.erased(name));
    setErased(null);
    onErased();
  };
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
        <ConfirmDialog
          title={words.eraseTitle(erased.name)}
          words={[words.erase, words.removing, words.keepThem]}
          onClose={() => setErased(null)}
          work={() => erase(erased)}
        >
          <p>
            {words.eraseWhat} {fleet.cannotUndo}
          </p>
        </ConfirmDialog>
      )}
    </details>
  );
}
