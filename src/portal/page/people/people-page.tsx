import type { MadeLink, Person } from "../../both-sides/contract/people.ts";
import { loadDevices } from "../../both-sides/vehicles/devices.ts";
import { getJson, PortalError } from "../api/request.ts";
import { Dialog } from "../common/dialogs/dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Copyable } from "../common/elements/copyable.tsx";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { EmptyState, LoadState, Notice } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { PersonDialog } from "./person-dialog.tsx";
import { PersonRow } from "./person-row.tsx";
import { RemovedPeople, RemovePersonDialog } from "./removed-people.tsx";
import { AssignDialog, InviteDialog } from "./sub-account-dialogs.tsx";

type OpenPerson =
  | { readonly dialog: "invite" }
  | { readonly dialog: "assign" | "manage" | "remove"; readonly person: Person }
  | { readonly dialog: "link"; readonly person: Person; readonly link: MadeLink };

/** A link is shown once, and what is lost for good is asked for each time. */
function isForm({ dialog }: OpenPerson): boolean {
  return dialog !== "link" && dialog !== "remove";
}

const loadPeople = async (signal: AbortSignal) => {
  const [people, removed, devices] = await Promise.all([
    getJson("GET /fleet/users", signal),
    loadRemoved(signal),
    loadDevices(getJson, signal),
  ]);
  return { people: people.data, removed, devices };
};

/** Without them the page is still of use. */
const loadRemoved = (signal: AbortSignal) =>
  getJson("GET /fleet/removed-users", signal).then(
    ({ data }) => data,
    (error) => {
      if (error instanceof PortalError) return [];
      throw error;
    },
  );

/** The owner and the sub-accounts: who they are, what they see, and how they get in. */
export default function PeoplePage() {
  const { people: words, show } = useAdministrationTexts();
  const loading = useLoad(loadPeople);
  const { loaded, reload, replace } = loading;
  const [open, setOpen] = useOpenForm<OpenPerson>("people", () => null, isForm);
  const close = () => setOpen(null);
  const closeAndReload = () => {
    close();
    reload();
  };
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const closeWithRow = () => {
    focusAfterRemoval();
    closeAndReload();
  };
  const people = (loaded.data?.people ?? []).toSorted(
    (one, other) => Number(other.role === "owner") - Number(one.role === "owner") || show.compare(one.name, other.name),
  );
  const devices = loaded.data?.devices ?? new Map();
  const put = (changed: Person) => {
    replace((data) => ({
      ...data,
      people: data.people.map((person) => (person.user_id === changed.user_id ? changed : person)),
    }));
    setOpen((now) => (now !== null && "person" in now ? { ...now, person: changed } : now));
  };
  return (
    <>
      <PageHead title={words.title} text={words.about}>
        {loaded.data !== null && (
          <Button look="primary" icon="plus" text={words.invite} onClick={() => setOpen({ dialog: "invite" })} />
        )}
      </PageHead>
      <LoadState {...loading} />
      <ul className="people-list">
        {people.map((person) => (
          <PersonRow
            key={person.user_id}
            person={person}
            devices={devices}
            onAssign={() => setOpen({ dialog: "assign", person })}
            onManage={() => setOpen({ dialog: "manage", person })}
          />
        ))}
      </ul>
      {people.length === 1 && (
        <EmptyState icon="account" title={words.nobodyElse}>
          {words.nobodyElseWhat}
        </EmptyState>
      )}
      {loaded.data && <RemovedPeople people={loaded.data.removed} onErased={closeWithRow} />}
      {open?.dialog === "invite" && (
        <InviteDialog
          devices={[...devices.values()]}
          onClose={close}
          onInvited={({ data: person, link }) => {
            setOpen({ dialog: "link", person, link });
            reload();
          }}
        />
      )}
      {open?.dialog === "link" && (
        <LinkDialog name={open.person.name} email={open.person.email} link={open.link} onClose={close} />
      )}
      {open?.dialog === "assign" && (
        <AssignDialog person={open.person} devices={[...devices.values()]} onClose={close} onSaved={closeAndReload} />
      )}
      {open?.dialog === "manage" && (
        <PersonDialog
          person={open.person}
          onClose={close}
          onChanged={put}
          onLink={(link) => setOpen({ dialog: "link", person: open.person, link })}
          onRemove={() => setOpen({ dialog: "remove", person: open.person })}
        />
      )}
      {open?.dialog === "remove" && (
        <RemovePersonDialog person={open.person} onClose={close} onRemoved={closeWithRow} onStale={reload} />
      )}
    </>
  );
}

interface LinkProps {
  readonly name: string;
  readonly email: string;
  readonly link: MadeLink;
  readonly onClose: () => void;
}

/** The only time that a link is shown. A lost one costs nothing: another is made with a click. */
function LinkDialog({ name, email, link, onClose }: LinkProps) {
  const { people: words, common, show } = useAdministrationTexts();
  return (
    <Dialog title={words.linkTitle(name)} onClose={onClose} wide>
      <div className="dialog-form">
        {link.is_mailed === true && <Notice kind="success">{words.linkMailed(email)}</Notice>}
        {link.is_mailed === false && (
          <Notice kind="error">
            <p>{words.mailFailed}</p>
            <p className="hint">{words.mailProblems[link.mail_problem ?? ""]}</p>
          </Notice>
        )}
        {link.is_mailed === null && <Notice kind="warning">{words.linkOnce}</Notice>}
        <Copyable title={words.link} text={link.url} testId="made-link" />
        <p className="hint">{words.linkWorks(show.time(Date.parse(link.expires_at), "minute"))}</p>
        <footer className="dialog-foot">
          <Button look="primary" text={common.done} onClick={onClose} />
        </footer>
      </div>
    </Dialog>
  );
}
