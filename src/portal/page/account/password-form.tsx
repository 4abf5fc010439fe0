import { type FormEvent, useState } from "react";
import { PortalError, send } from "../api/request.ts";
import { Field } from "../common/field.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";

export function PasswordForm() {
  const { user } = useSession();
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
    } catch (cause) {
      setError(cause);
      setState("idle");
    }
  };
  const problems = error instanceof PortalError ? error.fields : {};
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">Change your password</h2>
      <form onSubmit={change}>
        {error !== null && Object.keys(problems).length === 0 && <ErrorNotice error={error} />}
        {state === "done" && (
          <div role="status">
            <Notice kind="success">Your password is changed. Everywhere else you were signed out.</Notice>
          </div>
        )}
        <input type="hidden" name="username" autoComplete="username" value={user.email} />
        <Field
          label="Current password"
          name="current_password"
          type="password"
          autoComplete="current-password"
          required
          problem={problems.current_password}
        />
        <Field
          label="New password"
          name="new_password"
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          maxLength={200}
          hint="8 to 200 characters."
          problem={problems.new_password}
        />
        <Field
          label="New password again"
          name="repeated"
          type="password"
          autoComplete="new-password"
          required
          problem={state === "different" ? "The two are not the same" : undefined}
        />
        <button type="submit" className="button button-own-width" disabled={state === "busy"}>
          {state === "busy" ? "Changing…" : "Change the password"}
        </button>
      </form>
    </section>
  );
}
