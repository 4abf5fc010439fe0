import { useRef, useState } from "react";
import { to } from "../../both-sides/address.ts";
import type { MadeLink, Person } from "../../both-sides/contract/people.ts";
import { send } from "../api/request.ts";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { ChangedNotice } from "../fleet/conflict-notice.tsx";
import { conflictOf, useSeen } from "../fleet/use-edit.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { personFields } from "./person.ts";

interface PersonAccessProps {
  readonly person: Person;
  readonly onChanged: (person: Person) => void;
  readonly onLink: (link: MadeLink) => void;
  readonly onRemove: () => void;
}

interface Action {
  readonly id: string;
  readonly label: string;
  readonly what: string;
  readonly act: () => void;
  readonly isIdle?: boolean;
}

/** What the owner can do about the access of a sub-account, each with what it means. */
export function PersonAccess({ person, onChanged, onLink, onRemove }: PersonAccessProps) {
  const { people: words, show } = useAdministrationTexts();
  const { revision, conflict, take, forget } = useSeen(person.revision);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const statusButton = useRef<HTMLButtonElement>(null);
  const { user_id } = person;
  const run = (work: () => Promise<void>) => async () => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    await work().then(forget, (cause) => {
      if (!take(cause)) setError(cause);
    });
    setBusy(false);
  };
  const makeLink = run(async () => {
    const { data, link } = await send(to("POST /fleet/users/{user_id}/link", { user_id }));
    onChanged(data);
    onLink(link);
  });
  const endSessions = run(async () => {
    const { data } = await send(to("POST /fleet/users/{user_id}/end-sessions", { user_id }));
    announce(words.sessionsEnded(person.name));
    onChanged(data);
  });
  const isActive = person.status === "active";
  const setStatus = run(async () => {
    const status = isActive ? "disabled" : "active";
    const target = to("PUT /fleet/users/{user_id}", { user_id });
    const put = (seen: number) => send(target, { revision: seen, fields: { status } });
    const { data } = await put(revision).catch((cause) => {
      const found = conflictOf(cause);
      // Another person has done it already.
      if (found?.current.status === status) return put(found.revision);
      throw cause;
    });
    announce(isActive ? words.isDisabled(data.name) : words.isEnabled(data.name));
    onChanged(data);
    // The button of the notice is gone with it.
    statusButton.current?.focus();
  });
  const hasSessions = person.sessions > 0;
  // What changes a row is above what it changes: nothing moves to where the pointer has just clicked.
  const actions: readonly Action[] = [
    isActive
      ? { id: "status", label: words.disable, what: words.disableWhat, act: setStatus }
      : { id: "status", label: words.enable, what: words.enableWhat, act: setStatus },
    {
      id: "sessions",
      label: words.endSessions,
      what: hasSessions
        ? words.endSessionsWhat(words.sessions(person.sessions, show.number(person.sessions)))
        : `${words.noSession}.`,
      act: endSessions,
      isIdle: !hasSessions,
    },
    ...(isActive
      ? [
          person.has_password
            ? { id: "link", label: words.reset, what: words.resetWhat, act: makeLink }
            : { id: "link", label: words.newInvitation, what: words.newInvitationWhat, act: makeLink },
        ]
      : []),
    { id: "remove", label: words.remove, what: words.removeWhat, act: onRemove },
  ];
  return (
    <fieldset className="person-access">
      <legend>{words.access}</legend>
      {error !== null && <ErrorNotice error={error} />}
      {conflict !== null && (
        <ChangedNotice conflict={conflict} {...personFields(person, words)}>
          <p className="button-row">
            <Button
              look="small"
              text={isActive ? words.disableAnyway : words.enableAnyway}
              aria-disabled={isBusy}
              onClick={setStatus}
            />
          </p>
        </ChangedNotice>
      )}
      <ul>
        {actions.map(({ id, label, what, act, isIdle = false }) => (
          <li key={id}>
            <p className="hint">{what}</p>
            {/* Not disabled: the button would lose the focus. */}
            <button
              ref={id === "status" ? statusButton : undefined}
              type="button"
              className={id === "remove" ? "button button-small button-danger" : "button button-small"}
              aria-disabled={isBusy || isIdle}
              onClick={isIdle ? undefined : act}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
