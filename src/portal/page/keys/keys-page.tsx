import { useEffect, useRef, useState } from "react";
import type { ApiKey, MadeKey } from "../api/portal-records.ts";
import { getJson } from "../api/request.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useSession } from "../common/session.ts";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { MadeKeyDialog } from "./made-key-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";

/** The dialog in front of the list. */
type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "made"; readonly made: MadeKey }
  | { readonly dialog: "rotate" | "revoke"; readonly key: ApiKey };

const loadKeys = async (signal: AbortSignal) => (await getJson<{ data: readonly ApiKey[] }>("/keys", signal)).data;

export default function KeysPage() {
  const { keys: words } = useTexts();
  const heading = useHeading(words.title);
  const reading = useShow();
  const { user, base_url } = useSession();
  const { loaded, reload } = useLoad(loadKeys);
  const [open, setOpen] = useState<Open | null>(null);
  const [showsEnded, setShowsEnded] = useState(false);
  const close = () => setOpen(null);
  const show = (made: MadeKey) => {
    setOpen({ dialog: "made", made });
    reload();
  };
  const keys = loaded.data ?? [];
  // Keys of a disabled creator do not work now, but may again: they are not over.
  const lasting = keys.filter(({ state }) => state === "active" || state === "disabled");
  const ended = keys.length - lasting.length;
  const isRowGone = useRef(false);
  useEffect(() => {
    if (loaded.state !== "ready" || !isRowGone.current) return;
    isRowGone.current = false;
    heading.current?.focus();
  }, [loaded, heading]);
  const isEmpty = loaded.state === "ready" && keys.length === 0;
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {words.title}
          </h1>
          <p className="quiet">
            {user.role === "owner" ? words.everyKey : words.ownKeys} {words.answersAt} <code>{base_url}</code>.{" "}
            <a href="/docs">{words.readReference}</a>
          </p>
        </div>
        {!isEmpty && (
          <button type="button" className="button button-primary" onClick={() => setOpen({ dialog: "create" })}>
            <Icon name="plus" />
            {words.create}
          </button>
        )}
      </header>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "loading" && loaded.data === null && <LoadingState />}
      {isEmpty && (
        <EmptyState icon="key" title={words.noKeys}>
          <p>{words.whatFor}</p>
          <button type="button" className="button button-primary" onClick={() => setOpen({ dialog: "create" })}>
            <Icon name="plus" />
            {words.createFirst}
          </button>
        </EmptyState>
      )}
      {keys.length > 0 && (
        <>
          <KeyTable
            keys={showsEnded ? keys : lasting}
            showsCreator={user.role === "owner"}
            onRotate={(key) => setOpen({ dialog: "rotate", key })}
            onRevoke={(key) => setOpen({ dialog: "revoke", key })}
          />
          {ended > 0 && (
            <label className="check">
              <input type="checkbox" checked={showsEnded} onChange={(event) => setShowsEnded(event.target.checked)} />
              {words.showEnded(reading.number(ended))}
            </label>
          )}
        </>
      )}
      {open?.dialog === "create" && <CreateKeyDialog onClose={close} onMade={show} />}
      {open?.dialog === "made" && <MadeKeyDialog made={open.made} onClose={close} />}
      {open?.dialog === "rotate" && (
        <RotateKeyDialog apiKey={open.key} onClose={close} onMade={show} onRefused={reload} />
      )}
      {open?.dialog === "revoke" && (
        <RevokeKeyDialog
          apiKey={open.key}
          onClose={close}
          onRevoked={() => {
            // The row disappears with the button that had the focus.
            isRowGone.current = true;
            close();
            reload();
          }}
        />
      )}
    </div>
  );
}
