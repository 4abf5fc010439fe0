import { useCallback, useState } from "react";
import type { SessionAnswer } from "../../both-sides/contract/session.ts";
import { PortalError, send } from "../api/request.ts";
import { Button } from "../common/elements/button.tsx";
import { Field, Select } from "../common/fields/field.tsx";
import { NewPasswordFields, useNewPassword } from "../common/fields/new-password-fields.tsx";
import { EmptyState, ErrorNotice, LoadingState } from "../common/loading/notice.tsx";
import { useLoad } from "../common/loading/use-load.ts";
import { useTitle } from "../common/navigation/page-head.tsx";
import { Link } from "../common/navigation/route.tsx";
import { browserZone } from "../common/reading/clock.ts";
import { zoneOptions } from "../common/reading/zones.ts";
import { WithAdministrationTexts } from "../fleet/with-administration-texts.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";

interface SetupProps {
  readonly onSignedIn: (session: SessionAnswer) => void;
}

/** The page of the link that a server without an account prints when it starts. */
export default function SetupPage({ onSignedIn }: SetupProps) {
  return (
    <SignInFrame>
      <WithAdministrationTexts>
        <Setup onSignedIn={onSignedIn} />
      </WithAdministrationTexts>
    </SignInFrame>
  );
}

function Setup({ onSignedIn }: SetupProps) {
  const { setup: words, links } = useAdministrationTexts();
  // Behind the #, which no browser sends to a server.
  const [token] = useState(() => location.hash.slice(1));
  const { loaded, reload } = useLoad(useCallback(() => look(token), [token]));
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  if (loaded.data === null) return <LoadingState label={words.checking} />;
  if (!loaded.data.isOpen) {
    return (
      <EmptyState icon="key" title={words.useless} isWholePage>
        <p>{words.uselessText}</p>
        <Link to="/sign-in" className="button">
          {links.signIn}
        </Link>
      </EmptyState>
    );
  }
  return <AccountForm token={token} onSignedIn={onSignedIn} onUseless={reload} />;
}

async function look(token: string): Promise<{ readonly isOpen: boolean }> {
  try {
    await send("POST /setup/link", { token });
    return { isOpen: true };
  } catch (error) {
    if (error instanceof PortalError && error.status === 404) return { isOpen: false };
    throw error;
  }
}

interface AccountFormProps {
  readonly token: string;
  readonly onSignedIn: (session: SessionAnswer) => void;
  /** Another person has used a link in the meantime. */
  readonly onUseless: () => void;
}

function AccountForm({ token, onSignedIn, onUseless }: AccountFormProps) {
  const { account, common, shell, signIn, setup: words } = useAdministrationTexts();
  useTitle(words.title);
  const [zone, setZone] = useState(browserZone);
  const { onSubmit, isBusy, isDifferent, problems, otherError } = useNewPassword("password", async (entered) => {
    const { account_name = "", name = "", email = "", password = "" } = entered;
    try {
      onSignedIn(await send("POST /setup", { account_name, name, email, password, time_zone: zone, token }));
    } catch (cause) {
      if (!(cause instanceof PortalError && cause.status === 404)) throw cause;
      onUseless();
    }
  });
  return (
    <>
      <h1>{words.title}</h1>
      <p className="quiet">{words.welcome}</p>
      {otherError !== null && <ErrorNotice error={otherError} />}
      <form onSubmit={onSubmit} className="setup-form column gap-4 fit">
        <fieldset className="column gap-4">
          <legend>{shell.account}</legend>
          <Field
            label={account.accountName}
            name="account_name"
            required
            // The page is about nothing else.
            autoFocus
            maxLength={200}
            autoComplete="organization"
            hint={words.accountHint}
            problem={problems.account_name}
          />
          <div className="grid gap-1">
            <Select label={account.zone} value={zone} onChange={setZone} options={zoneOptions(browserZone)} />
            <p className={problems.time_zone === undefined ? "hint" : "problem"}>
              {problems.time_zone ?? words.zoneHint}
            </p>
          </div>
        </fieldset>
        <fieldset className="column gap-4">
          <legend>{words.you}</legend>
          <Field label={words.name} name="name" required maxLength={200} autoComplete="name" problem={problems.name} />
          <Field
            label={common.email}
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="username"
            problem={problems.email}
          />
          <NewPasswordFields
            name="password"
            labels={[signIn.password, words.passwordAgain]}
            problem={problems.password}
            isDifferent={isDifferent}
          />
        </fieldset>
        <Button type="submit" look="primary wide" text={isBusy ? words.creating : words.create} isBusy={isBusy} />
      </form>
    </>
  );
}
