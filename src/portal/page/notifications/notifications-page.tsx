import { to } from "../../both-sides/address.ts";
import type { NotificationRecord } from "../../both-sides/contract/notifications.ts";
import { send } from "../api/request.ts";
import { ConfirmDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { announce } from "../common/elements/announce.tsx";
import { Button } from "../common/elements/button.tsx";
import { useOpenForm } from "../common/kept-forms/use-kept-form.ts";
import { EmptyState, ErrorNotice, LoadState, Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { PageHead, useFocusAfterRemoval } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { ChoiceDialog } from "./choice-dialog.tsx";
import { recordBody } from "./choice-draft.ts";
import { ChoiceRow } from "./choice-row.tsx";
import { MailList } from "./mail-list.tsx";
import { useTestMail } from "./test-mail.tsx";

/** What a person is mailed of; the owner sees and sets that of everybody. */
export default function NotificationsPage() {
  return (
    <div className="page">
      <WithAdministrationTexts>
        <Notifications />
      </WithAdministrationTexts>
    </div>
  );
}

type OpenNotification =
  | { readonly dialog: "add" }
  | { readonly dialog: "change" | "remove"; readonly choice: NotificationRecord };

function isForm({ dialog }: OpenNotification): boolean {
  return dialog !== "remove";
}

function Notifications() {
  const { notifications: words, shell, show } = useAdministrationTexts();
  const { user } = useSession();
  const loading = useAnswer("GET /notifications");
  const { loaded, reload } = loading;
  const [open, setOpen] = useOpenForm<OpenNotification>("notifications", () => null, isForm);
  const { submit, error } = useSubmit();
  const testMail = useTestMail();
  const focusAfterRemoval = useFocusAfterRemoval(loaded);
  const shown = loaded.data;
  const close = () => setOpen(null);
  const closeAndReload = () => {
    close();
    reload();
  };
  const pause = (choice: NotificationRecord) => {
    const { notification_id, stopped_at } = choice;
    // The row says whether anything feeds it.
    const body = { ...recordBody(choice), is_stopped: stopped_at === null, although_silent: true };
    return submit(async () => {
      await send(to("PUT /notifications/{notification_id}", { notification_id }), body);
      announce(words.saved);
      reload();
    });
  };
  const remove = async (choice: NotificationRecord) => {
    await send(to("DELETE /notifications/{notification_id}", { notification_id: choice.notification_id }));
    announce(words.removed);
    focusAfterRemoval();
    closeAndReload();
  };
  const isNamed = (shown?.people.length ?? 0) > 1;
  return (
    <>
      <PageHead title={words.title} text={words.about}>
        {shown?.sends_mail && (
          <div className="button-row">
            {user.role === "owner" && (
              <Link to="/fleet/rules" className="button">
                {shell.rules}
              </Link>
            )}
            {testMail.button}
            <Button look="primary" icon="plus" text={words.add} onClick={() => setOpen({ dialog: "add" })} />
          </div>
        )}
      </PageHead>
      <div role="status">{testMail.outcome}</div>
      <LoadState {...loading} />
      {error !== null && <ErrorNotice error={error} />}
      {shown && !shown.sends_mail && <Notice kind="info">{words.noMail}</Notice>}
      {shown && shown.data.length === 0 && (
        <EmptyState icon="mail" title={words.none}>
          {words.noneWhat}
        </EmptyState>
      )}
      {shown && (
        <div className="stack">
          <ul className="people-list">
            {shown.data.map((choice) => (
              <ChoiceRow
                key={choice.notification_id}
                choice={choice}
                isNamed={isNamed}
                needsConfirmation={shown.people.some(
                  (person) => person.user_id === choice.user_id && person.needs_confirmation,
                )}
                onChange={() => setOpen({ dialog: "change", choice })}
                onPause={() => pause(choice)}
                onRemove={() => setOpen({ dialog: "remove", choice })}
              />
            ))}
          </ul>
          {shown.sends_mail && (
            <p className="hint">
              {words.limits(show.number(shown.limits.per_hour), show.number(shown.limits.account_per_day))}
            </p>
          )}
          {(shown.sends_mail || shown.mails.length > 0) && (
            <MailList
              mails={shown.mails}
              isNamed={isNamed}
              columns={[[words.alerts, ({ alerts }) => show.number(alerts)]]}
            />
          )}
        </div>
      )}
      {open !== null && open.dialog !== "remove" && (
        <ChoiceDialog
          choice={open.dialog === "change" ? open.choice : null}
          people={shown?.people ?? []}
          onClose={close}
          onSaved={closeAndReload}
        />
      )}
      {open?.dialog === "remove" && (
        <ConfirmDialog
          title={words.removeTitle}
          onClose={close}
          words={[words.remove, words.removing]}
          work={() => remove(open.choice)}
        >
          <p>{words.removeWhat}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
