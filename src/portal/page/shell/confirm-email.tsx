import { useState } from "react";
import type { ConfirmationMail } from "../../both-sides/contract/session.ts";
import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

/** For somebody who has not confirmed their address: why nothing is mailed, and how to get the link. */
export function ConfirmEmail() {
  const { user } = useSession();
  const { confirmation: words } = useTexts();
  const [outcome, setOutcome] = useState<ConfirmationMail | null>(null);
  const { submit, error, isBusy } = useSubmit();
  if (!user.needs_confirmation) return null;
  const ask = () => submit(async () => setOutcome((await send("POST /email/confirmation")).data));
  const problem = outcome?.mail_problem === "too_many" ? words.tooMany : words.failed;
  const answer = outcome?.is_mailed ? words.sent(user.email) : problem;
  return (
    <aside className="confirm-email row gap-3 fit">
      <Icon name="mail" />
      <div role="status" className="break fit">
        <p>{outcome === null ? words.needed(user.email) : answer}</p>
        {error !== null && <ErrorNotice error={error} />}
      </div>
      {!outcome?.is_mailed && (
        <Button look="small" text={isBusy ? words.sending : words.send} disabled={isBusy} onClick={ask} />
      )}
    </aside>
  );
}
