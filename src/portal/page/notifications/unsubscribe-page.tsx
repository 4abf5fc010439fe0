import { useState } from "react";
import { PortalError } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { useTitle } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

/** What the link in a mail opens: it asks first, since programs open links, too. */
export default function UnsubscribePage() {
  return (
    <SignInFrame>
      <WithAdministrationTexts>
        <Unsubscribe />
      </WithAdministrationTexts>
    </SignInFrame>
  );
}

function Unsubscribe() {
  const { unsubscribe: words } = useAdministrationTexts().notifications;
  const [state, setState] = useState<"asking" | "done" | "useless">("asking");
  const { submit, error, isBusy } = useSubmit();
  useTitle(words.title);
  const stop = async () => {
    // The address that mail programs use as well: it needs no session.
    const response = await fetch(location.pathname + location.search, { method: "POST" }).catch(() => {
      throw new PortalError(0, "UNREACHABLE");
    });
    if (!response.ok && response.status !== 404) throw new PortalError(response.status, "FAILED");
    setState(response.ok ? "done" : "useless");
  };
  if (state === "asking") {
    return (
      <>
        <h1>{words.title}</h1>
        <p>{words.what}</p>
        {error !== null && <ErrorNotice error={error} />}
        <Button
          look="primary wide"
          text={isBusy ? words.stopping : words.stop}
          isBusy={isBusy}
          onClick={() => submit(stop)}
        />
      </>
    );
  }
  return (
    <div role="status" className="stack">
      <h1>{state === "done" ? words.done : words.useless}</h1>
      <p>{state === "done" ? words.again : words.uselessWhat}</p>
      <Link to="/notifications" className="button">
        {words.open}
      </Link>
    </div>
  );
}
