import { send } from "../api/request.ts";
import { useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Button } from "../common/elements/button.tsx";
import { Icon } from "../common/elements/icon.tsx";
import { ErrorNotice } from "../common/loading/notice.tsx";
import { openAsAnother } from "../common/navigation/route.tsx";
import { useSession } from "../common/session.ts";
import { useTexts } from "../texts/use-texts.ts";

/** For an owner who looks at a made-up fleet: that it is one, and the way back. */
export function DemoBar() {
  const { demo } = useSession();
  const { shell: words } = useTexts();
  const { submit, error, isBusy } = useSubmit();
  if (demo?.may_leave !== true) return null;
  const leave = async () => {
    await send("POST /demo-account/leave");
    openAsAnother("/start?have=look");
  };
  return (
    <aside className="confirm-email row gap-3 fit">
      <Icon name="info" />
      <div className="fit break">
        <p>{words.demoHere}</p>
        {error !== null && <ErrorNotice error={error} />}
      </div>
      <Button look="small" text={words.demoLeave} isBusy={isBusy} onClick={() => submit(leave)} />
    </aside>
  );
}
