import { type FormEvent, useState } from "react";
import { send } from "../api/request.ts";
import { fieldProblems } from "../common/error-words.ts";
import { Field } from "../common/field.tsx";
import { NewPasswordFields } from "../common/new-password-fields.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

export function PasswordForm() {
  const texts = useTexts();
  const words = texts.account;
  const session = useSession();
  const { user } = session;
  const replaceSession = useReplaceSession();
  const [error, setError] = useState<unknown>(null);
  const [state, setState] = useState<"idle" | "busy" | "done" | "different">("idle");
  const change = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entered = new FormData(form);
    setError(null);
    if (entered.get("new_password") !== entered.get("repeated")) return setState("different");
    setState("busy");
    try {
      const { current_password, new_password } = Object.fromEntries(entered);
      await send("POST", "/password", { current_password, new_password });
      form.reset();
      setState("done");
      if (!user.has_password) replaceSession({ ...session, user: { ...user, has_password: true } });
    } catch (cause) {
      setError(cause);
      setState("idle");
    }
  };
  const problems = fieldProblems(error, texts);
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">{user.has_password ? words.changePassword : words.choosePassword}</h2>
      <form onSubmit={change}>
        {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
        {state === "done" && (
          <div role="status">
            <Notice kind="success">{words.passwordChanged}</Notice>
          </div>
        )}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        {user.has_password && (
          <Field
            label={words.currentPassword}
            name="current_password"
            type="password"
            autoComplete="current-password"
            required
            problem={problems.current_password}
          />
        )}
        <NewPasswordFields name="new_password" problem={problems.new_password} isDifferent={state === "different"} />
        <button type="submit" className="button button-own-width" disabled={state === "busy"}>
          {state === "busy" ? words.changing : words.change}
        </button>
      </form>
    </section>
  );
}
