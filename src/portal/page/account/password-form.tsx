import { send } from "../api/request.ts";
import { Field } from "../common/field.tsx";
import { NewPasswordFields, useNewPassword } from "../common/new-password-fields.tsx";
import { ErrorNotice, Notice } from "../common/notice.tsx";
import { useReplaceSession, useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

export function PasswordForm() {
  const { account: words } = useTexts();
  const session = useSession();
  const { user } = session;
  const replaceSession = useReplaceSession();
  const change = useNewPassword("new_password", async ({ current_password, new_password }, form) => {
    await send("POST", "/password", { current_password, new_password });
    form.reset();
    if (!user.has_password) replaceSession({ ...session, user: { ...user, has_password: true } });
  });
  const { isBusy, problems, otherError } = change;
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">{user.has_password ? words.changePassword : words.choosePassword}</h2>
      <form onSubmit={change.onSubmit}>
        {otherError !== null && <ErrorNotice error={otherError} />}
        {change.isDone && (
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
        <NewPasswordFields name="new_password" problem={problems.new_password} isDifferent={change.isDifferent} />
        <button type="submit" className="button button-own-width" disabled={isBusy}>
          {isBusy ? words.changing : words.change}
        </button>
      </form>
    </section>
  );
}
