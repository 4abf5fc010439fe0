import { useEffect, useRef } from "react";
import { getJson } from "../api/request.ts";
import { useAddress } from "../common/address.ts";
import { useNow } from "../common/clock.ts";
import { Copyable } from "../common/copyable.tsx";
import { Notice } from "../common/notice.tsx";
import { Time } from "../common/time.tsx";
import { useLoad } from "../common/use-load.ts";
import { CreateDialog } from "../credentials/create-dialog.tsx";
import { Credentials } from "../credentials/credentials.tsx";
import { MadeSecretDialog } from "../credentials/made-secret-dialog.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { AddressNote } from "./address-note.tsx";
import type { IngestToken, MadeToken, TokenList } from "./token-records.ts";
import { VehicleLines } from "./vehicle-lines.tsx";

const path = "/fleet/tokens";
const loadTokens = (signal: AbortSignal) => getJson<TokenList>(path, signal);

/** Who may send frames, and what to paste where for it. */
export default function TrackersPage() {
  const { trackers: words, common, credentials } = useAdministrationTexts();
  const loading = useLoad(loadTokens);
  const ingest = loading.loaded.data?.ingest ?? null;
  const now = useNow(30_000);
  const lines = useRef<HTMLHeadingElement>(null);
  const isForVehicle = useAddress().get("vehicle") !== null;
  const isThere = ingest !== null;
  useEffect(() => {
    if (isForVehicle && isThere) lines.current?.focus();
  }, [isForVehicle, isThere]);
  return (
    <>
      <Credentials<IngestToken, MadeToken>
        words={words}
        caption={words.tokens}
        about={words.what}
        icon="target"
        loading={loading}
        path={path}
        idOf={({ token_id }) => token_id}
        stateOf={({ revoked_at }) => (revoked_at === null ? "active" : "revoked")}
        isLasting={({ revoked_at }) => revoked_at === null}
        badges={({ revoked_at, still_sends }) => (
          <>
            {revoked_at !== null && <span className="badge badge-revoked">{words.revokedBadge}</span>}
            {still_sends && <span className="badge badge-sends">{words.sends}</span>}
          </>
        )}
        columns={[
          { label: words.created, cell: (token) => <Time at={token.created_at} detail="date" /> },
          {
            label: credentials.lastUsed,
            cell: (token) => (token.last_used_at === null ? common.never : <Time at={token.last_used_at} now={now} />),
          },
        ]}
        createDialog={(then) => <CreateDialog {...then} words={words} path={path} />}
        madeDialog={(made, onClose) => (
          <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
            <Copyable title={words.token} text={made.token} testId="made-token" />
            <AddressNote address={made.ingest} />
            <VehicleLines address={made.ingest} token={made.token} />
          </MadeSecretDialog>
        )}
        revokeNote={(token) => <LastUse token={token} now={now} />}
      />
      {ingest !== null && (
        <section className="card" aria-labelledby="tracker-lines">
          <h2 ref={lines} id="tracker-lines" tabIndex={-1}>
            {words.lines}
          </h2>
          <p className="quiet">
            {words.linesWhat} {words.placeholder}
          </p>
          <AddressNote address={ingest} />
          <VehicleLines address={ingest} token={null} />
        </section>
      )}
    </>
  );
}

/** Whether something still sends with the token. */
function LastUse({ token, now }: { readonly token: IngestToken; readonly now: number }) {
  const { trackers: words, show } = useAdministrationTexts();
  const ago = token.last_used_at === null ? null : show.age(now - Date.parse(token.last_used_at));
  if (!token.still_sends) return <p>{ago === null ? words.neverSent : words.lastSent(ago)}</p>;
  return ago !== null && <Notice kind="warning">{words.stillSends(ago)}</Notice>;
}
