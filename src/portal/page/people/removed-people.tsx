import { useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { PreviewOf } from "../../both-sides/contract/contract.ts";
import type { Person, RemovedPerson } from "../../both-sides/contract/people.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { asSentence } from "../fleet/effect-words.ts";
import { RemoveDialog } from "../fleet/remove-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { personFields } from "./person.ts";

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
    await send(to("POST /fleet/removed-users/{user_id}/erase", { user_id }));
    announce(words.erased(name));
    setErased(null);
    onErased();
  };
  return (
    <details className="removed-people">
      <summary>{words.removedPeople(show.number(people.length))}</summary>
      <ul>
        {people.map((person) => (
          <li key={person.user_id} className="removed-person row apart gap-4">
            <span>
              <strong>{person.name}</strong>
              <span className="hint block">
                {person.email} · {words.removedAt(show.time(Date.parse(person.removed_at), "date"))}
              </span>
            </span>
            <Button
              look="small danger"
              text={fleet.erase}
              aria-label={words.eraseWho(person.name)}
              onClick={() => setErased(person)}
            />
          </li>
        ))}
      </ul>
      {erased && (
        <ConfirmDialog
          title={words.eraseTitle(erased.name)}
          words={[fleet.erase, fleet.removing, words.keepThem]}
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

interface RemovePersonProps {
  readonly person: Person;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** Another person was faster: the list must be loaded again. */
  readonly onStale: () => void;
}

type Loss = PreviewOf<"POST /fleet/users/{user_id}/remove">["data"];

export function RemovePersonDialog({ person, ...events }: RemovePersonProps) {
  const { people: words, fleet } = useAdministrationTexts();
  const { removeIt: keepIt, keepThem: cancel } = words;
  return (
    <RemoveDialog
      record={person}
      target={to("POST /fleet/users/{user_id}/remove", { user_id: person.user_id })}
      words={{ ...words, keepIt, cancel, eraseWhat: `${words.eraseWhat} ${fleet.cannotUndo}` }}
      fields={personFields(person, words)}
      {...events}
    >
      {(loss) => (
        <>
          <p>{words.removeNow}</p>
          <LossNote loss={loss} sessions={person.sessions} />
        </>
      )}
    </RemoveDialog>
  );
}

/** More keys than these are only counted. */
const fewNames = 5;

function LossNote({ loss, sessions }: { readonly loss: Loss | null; readonly sessions: number }) {
  const { people: words, fleet, common, show } = useAdministrationTexts();
  const sentence = ({ effect: { assignments_ended: vehicles }, keys }: Loss) => {
    const named = `${keys.slice(0, fewNames).join(", ")}${keys.length > fewNames ? " …" : ""}`;
    const parts = [
      vehicles > 0 && words.endsSight(common.vehicles(vehicles, show.number(vehicles))),
      keys.length > 0 && `${words.endsKeys(keys.length, show.number(keys.length))} (${named})`,
      sessions > 0 && words.endsSessions(sessions, show.number(sessions)),
    ];
    return asSentence(
      parts.filter((part) => part !== false),
      fleet,
    );
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
