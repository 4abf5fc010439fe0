import { useEffect, useRef, useState } from "react";
import { getJson } from "../api/request.ts";
import { useAddress } from "../common/address.ts";
import { EmptyState, LoadingState } from "../common/empty-state.tsx";
import { Icon } from "../common/icon.tsx";
import { ErrorNotice } from "../common/notice.tsx";
import { useHeading } from "../common/use-heading.ts";
import { useLoad } from "../common/use-load.ts";
import { useShow } from "../common/use-show.ts";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote } from "./address-note.tsx";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { MadeTokenDialog } from "./made-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import type { IngestToken, MadeToken, TokenList } from "./token-records.ts";
import { TokenTable } from "./token-table.tsx";
import { VehicleLines } from "./vehicle-lines.tsx";

/** The dialog in front of the list. */
type Open =
  | { readonly dialog: "create" }
  | { readonly dialog: "made"; readonly made: MadeToken }
  | { readonly dialog: "revoke"; readonly token: IngestToken };

const loadTokens = (signal: AbortSignal) => getJson<TokenList>("/fleet/tokens", signal);

/** Who may send frames, and what to paste where for it. */
export default function TrackersPage() {
  const { trackers: words } = useAdministrationTexts();
  const heading = useHeading(words.title);
  const show = useShow();
  const { loaded, reload } = useLoad(loadTokens);
  const [open, setOpen] = useState<Open | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const close = () => setOpen(null);
  const tokens = loaded.data?.data ?? [];
  const working = tokens.filter(({ revoked_at }) => revoked_at === null);
  const revoked = tokens.length - working.length;
  const isRowGone = useRef(false);
  useEffect(() => {
    if (loaded.state !== "ready" || !isRowGone.current) return;
    isRowGone.current = false;
    heading.current?.focus();
  }, [loaded, heading]);
  const lines = useRef<HTMLHeadingElement>(null);
  const isForVehicle = useAddress().get("vehicle") !== null;
  const isThere = loaded.data !== null;
  useEffect(() => {
    if (isForVehicle && isThere) lines.current?.focus();
  }, [isForVehicle, isThere]);
  const isEmpty = loaded.data !== null && tokens.length === 0;
  const createButton = (text: string) => (
    <button type="button" className="button button-primary" onClick={() => setOpen({ dialog: "create" })}>
      <Icon name="plus" />
      {text}
    </button>
  );
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {words.title}
          </h1>
          <p className="quiet">{words.what}</p>
        </div>
        {!isEmpty && createButton(words.create)}
      </header>
      {loaded.state === "failed" && <ErrorNotice error={loaded.error} retry={reload} />}
      {loaded.state === "loading" && loaded.data === null && <LoadingState />}
      {isEmpty && (
        <EmptyState icon="target" title={words.none}>
          <p>{words.noneWhat}</p>
          {createButton(words.createFirst)}
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <>
          <TokenTable
            tokens={showsRevoked ? tokens : working}
            onRevoke={(token) => setOpen({ dialog: "revoke", token })}
          />
          {revoked > 0 && (
            <label className="check">
              <input
                type="checkbox"
                checked={showsRevoked}
                onChange={(event) => setShowsRevoked(event.target.checked)}
              />
              {words.showRevoked(show.number(revoked))}
            </label>
          )}
        </>
      )}
      {loaded.data !== null && (
        <section className="card" aria-labelledby="tracker-lines">
          <h2 ref={lines} id="tracker-lines" tabIndex={-1}>
            {words.lines}
          </h2>
          <p className="quiet">
            {words.linesWhat} {words.placeholder}
          </p>
          <AddressNote address={loaded.data.ingest} />
          <VehicleLines address={loaded.data.ingest} token={null} />
        </section>
      )}
      {open?.dialog === "create" && (
        <CreateTokenDialog
          onClose={close}
          onMade={(made) => {
            setOpen({ dialog: "made", made });
            reload();
          }}
        />
      )}
      {open?.dialog === "made" && <MadeTokenDialog made={open.made} onClose={close} />}
      {open?.dialog === "revoke" && (
        <RevokeTokenDialog
          token={open.token}
          onClose={close}
          onRevoked={() => {
            // The row disappears with the button that had the focus.
            isRowGone.current = true;
            close();
            reload();
          }}
        />
      )}
    </>
  );
}
