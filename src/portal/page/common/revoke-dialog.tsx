import { type ReactNode, useState } from "react";
import { send } from "../api/request.ts";
import { announce } from "./announce.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNotice } from "./notice.tsx";

interface RevokeProps {
  readonly secret: { readonly name: string; readonly prefix: string };
  /** What revokes it, under /portal/api. */
  readonly path: string;
  readonly words: {
    readonly revokeTitle: (name: string) => string;
    readonly revokeWhat: (prefix: string) => string;
    readonly revoked: (name: string) => string;
    readonly keepIt: string;
    readonly revokeIt: string;
    readonly revoking: string;
  };
  readonly onClose: () => void;
  readonly onRevoked: () => void;
  /** What else to know before. */
  readonly children?: ReactNode;
}

/** Asks once before a key or a token stops working. */
export function RevokeDialog({ secret: { name, prefix }, path, words, onClose, onRevoked, children }: RevokeProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await send("POST", path);
      announce(words.revoked(name));
      onRevoked();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.revokeTitle(name)} onClose={onClose}>
      <div className="dialog-form">
        {error !== null && <ErrorNotice error={error} />}
        <p>{words.revokeWhat(`${prefix}…`)}</p>
        {children}
        <footer className="dialog-foot">
          <button type="button" className="button" data-first-focus onClick={onClose}>
            {words.keepIt}
          </button>
          <button type="button" className="button button-danger-solid" disabled={isBusy} onClick={revoke}>
            {isBusy ? words.revoking : words.revokeIt}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}
