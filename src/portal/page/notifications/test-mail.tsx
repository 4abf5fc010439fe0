import { useState } from "react";
import type { TestMail } from "../../both-sides/contract/notifications.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice, Notice } from "../common/loading/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** Mails the person themselves, and says what became of it. */
export function useTestMail() {
  const { notifications } = useAdministrationTexts();
  const words = notifications.testMail;
  const { submit, error, isBusy } = useSubmit();
  const [done, setDone] = useState<TestMail | null>(null);
  const test = () => {
    setDone(null);
    void submit(async () => setDone((await send("POST /notifications/test-mail")).data));
  };
  return {
    button: <Button icon="mail" text={isBusy ? words.sending : words.send} isBusy={isBusy} onClick={test} />,
    outcome: error !== null ? <ErrorNotice error={error} /> : done !== null && <Outcome done={done} />,
  };
}

function Outcome({ done: { email, needs_confirmation, problem } }: { readonly done: TestMail }) {
  const { notifications, people } = useAdministrationTexts();
  const words = notifications.testMail;
  if (needs_confirmation) return <Notice kind="error">{words.unconfirmed(email)}</Notice>;
  if (problem === null) return <Notice kind="success">{words.sent(email)}</Notice>;
  return (
    <Notice kind="error">
      {words.failed(email)} {people.mailProblems[problem]}
    </Notice>
  );
}
