import { useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "../common/announce.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { MadeLink, Person } from "./person.ts";

interface PersonAccessProps {
  readonly person: Person;
  readonly onChanged: (person: Person) => void;
  readonly onLink: (link: MadeLink) => void;
  readonly onRemove: () => void;
}

/** What the owner can do about the access of a sub-account, each with what it means. */
export function PersonAccess({ person, onChanged, onLink, onRemove }: PersonAccessProps) {
  const { people: words } = useAdministrationTexts();
  const show = useShow();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const path = `/fleet/users/${person.user_id}`;
  const run = (work: () => Promise<void>) => async () => {
    setBusy(true);
    setError(null);
    await work().catch(setError);
    setBusy(false);
  };
  const makeLink = run(async () => {
    const { data, link } = await send<{ data: Person; link: MadeLink }>("POST", `${path}/link`, {});
    onChanged(data);
    onLink(link);
  });
  const endSessions = run(async () => {
    const { data } = await send<{ data: Person }>("POST", `${path}/end-sessions`, {});
    announce(words.sessionsEnded(person.name));
    onChanged(data);
  });
  const isActive = person.status === "active";
  const setStatus = run(async () => {
    const fields = { status: isActive ? "disabled" : "active" };
    const { data } = await send<{ data: Person }>("PUT", path, { revision: person.revision, fields });
    announce(isActive ? words.isDisabled(person.name) : words.isEnabled(person.name));
    onChanged(data);
  });
  const actions = [
    ...(isActive && !person.has_password ? [[words.newInvitation, words.newInvitationWhat, makeLink] as const] : []),
    ...(isActive && person.has_password ? [[words.reset, words.resetWhat, makeLink] as const] : []),
    ...(person.sessions > 0
      ? [
          [
            words.endSessions,
            words.endSessionsWhat(words.sessions(person.sessions, show.number(person.sessions))),
            endSessions,
          ] as const,
        ]
      : []),
    isActive
      ? ([words.disable, words.disableWhat, setStatus] as const)
      : ([words.enable, words.enableWhat, setStatus] as const),
    [words.remove, words.removeWhat, onRemove] as const,
  ];
  return (
    <fieldset className="person-access">
      <legend>{words.access}</legend>
      {error !== null && <ErrorNotice error={error} />}
      <ul>
        {actions.map(([label, what, act]) => (
          <li key={label}>
            <p className="hint">{what}</p>
            <button
              type="button"
              className={act === onRemove ? "button button-small button-danger" : "button button-small"}
              disabled={isBusy}
              onClick={act}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
