import { Copyable } from "../common/copyable.tsx";
import { Dialog } from "../common/dialog.tsx";
import { Notice } from "../common/notice.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import type { MadeLink } from "./person.ts";

interface LinkProps {
  readonly name: string;
  readonly email: string;
  readonly link: MadeLink;
  readonly onClose: () => void;
}

/** The only time that a link is shown. A lost one costs nothing: another is made with a click. */
export function LinkDialog({ name, email, link, onClose }: LinkProps) {
  const { people: words, common, show } = useAdministrationTexts();
  return (
    <Dialog title={words.linkTitle(name)} onClose={onClose} wide>
      <div className="dialog-form">
        {link.is_mailed === true && <Notice kind="success">{words.linkMailed(email)}</Notice>}
        {link.is_mailed === false && (
          <Notice kind="error">
            <p>{words.mailFailed}</p>
            <p className="small">{words.mailProblems[link.mail_problem ?? ""]}</p>
          </Notice>
        )}
        {link.is_mailed === null && <Notice kind="warning">{words.linkOnce}</Notice>}
        <Copyable title={words.link} text={link.url} testId="made-link" />
        <p className="hint">{words.linkWorks(show.time(Date.parse(link.expires_at), "minute"))}</p>
        <footer className="dialog-foot">
          <button type="button" className="button button-primary" onClick={onClose}>
            {common.done}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
