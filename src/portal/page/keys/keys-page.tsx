import { useState } from "react";
import { allScopes } from "../../../domain/scopes.ts";
import { to } from "../../both-sides/address.ts";
import type { ApiKey, MadeKey } from "../../both-sides/contract/keys.ts";
import { PortalError, send } from "../api/request.ts";
import { FormDialog, useSubmit } from "../common/dialogs/form-dialog.tsx";
import { Copyable } from "../common/elements/copyable.tsx";
import { Select } from "../common/fields/field.tsx";
import { Notice } from "../common/loading/notice.tsx";
import { useAnswer } from "../common/loading/use-load.ts";
import { useNow } from "../common/reading/clock.ts";
import { Time } from "../common/reading/time.tsx";
import { useSession } from "../common/session.ts";
import { Credentials, type RotateProps } from "../credentials/credentials.tsx";
import { MadeSecretDialog } from "../credentials/made-secret-dialog.tsx";
import { useTexts } from "../texts/use-texts.ts";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { curlLine } from "./curl-line.ts";

export default function KeysPage() {
  const { keys: words, credentials, common } = useTexts();
  const { user, base_url } = useSession();
  const loading = useAnswer("GET /keys");
  const now = useNow(30_000);
  const isOwner = user.role === "owner";
  const madeBy = {
    label: words.madeBy,
    cell: ({ creator }: ApiKey) => <span className="key-creator block break">{creator.name}</span>,
  };
  return (
    <div className="page">
      <Credentials<ApiKey, MadeKey>
        words={words}
        caption={words.title}
        about={
          <>
            {isOwner ? words.everyKey : words.ownKeys} {words.answersAt} <code>{base_url}</code>.{" "}
            <a href="/docs">{words.readReference}</a>
          </>
        }
        icon="key"
        loading={loading}
        revoke={({ key_id }) => send(to("POST /keys/{key_id}/revoke", { key_id }))}
        idOf={({ key_id }) => key_id}
        stateOf={({ state }) => state}
        // Keys of a disabled creator do not work now, but may again.
        isLasting={({ state }) => state === "active" || state === "disabled"}
        badges={(key) => (
          <>
            {key.state !== "active" && <span className={`badge badge-${key.state}`}>{words.states[key.state]}</span>}
            {isBeingReplaced(key) && <span className="badge">{words.beingReplaced}</span>}
          </>
        )}
        columns={[
          { label: words.scopes, cell: (key) => <Scopes scopes={key.scopes} /> },
          ...(isOwner ? [madeBy] : []),
          { label: words.created, cell: (key) => <Time at={key.created_at} detail="date" /> },
          { label: words.expires, cell: (key) => <Expiry at={key.expires_at} now={now} /> },
          {
            label: credentials.lastUsed,
            cell: (key) => (key.last_used_at === null ? common.never : <Time at={key.last_used_at} now={now} />),
          },
          { label: common.today, cell: (key) => <Quota used={key.requests_today} limit={key.limit_today} /> },
        ]}
        createDialog={(then) => <CreateKeyDialog {...then} />}
        madeDialog={(made, onClose) => (
          <MadeSecretDialog title={words.ready(made.data.name)} words={words} onClose={onClose}>
            <Copyable title={words.key} text={made.key} testId="made-key" />
            <Copyable
              title={words.tryIt}
              text={curlLine(base_url, made.key, made.data.scopes)}
              what={words.curlLine}
              testId="curl-line"
            />
          </MadeSecretDialog>
        )}
        rotation={{
          isOffered: (key) => key.state === "active" && !isBeingReplaced(key),
          text: words.rotate,
          label: words.rotateKey,
          dialog: (key, then) => <RotateKeyDialog apiKey={key} {...then} />,
        }}
      />
    </div>
  );
}

/** It has a successor, and works until that one is in use. */
function isBeingReplaced({ state, replaced_by }: ApiKey): boolean {
  return state === "active" && replaced_by !== null;
}

/** If it is near, the hour matters: a replaced key expires within days. */
const nearMs = 8 * 86_400_000;

function Expiry({ at, now }: { readonly at: string | null; readonly now: number }) {
  const { common } = useTexts();
  if (at === null) return common.never;
  return <Time at={at} detail={Date.parse(at) - now < nearMs ? "minute" : "date"} />;
}

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const { keys: words } = useTexts();
  if (scopes.length === allScopes.length) return <span className="tag">{words.allData}</span>;
  return (
    <span className="tags">
      {scopes.map((scope) => (
        <span key={scope} className="tag">
          {scope.replace(":read", "")}
        </span>
      ))}
    </span>
  );
}

function Quota({ used, limit }: { readonly used: number; readonly limit: number }) {
  const { keys: words, show } = useTexts();
  return (
    <span className="quota grid one-line">
      <span>
        {show.number(used)} <span className="quiet">{words.ofLimit(show.number(limit))}</span>
      </span>
      <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label={words.todayOfLimit} />
    </span>
  );
}

/** Hours for which both keys work. */
const overlaps = ["0", "1", "24", "72", "168"] as const;

function RotateKeyDialog({ apiKey, onClose, onMade, onRefused }: RotateProps<MadeKey> & { apiKey: ApiKey }) {
  const { keys: words } = useTexts();
  const [hours, setHours] = useState("24");
  const { submit, ...state } = useSubmit();
  const rotate = async () => {
    try {
      onMade(await send(to("POST /keys/{key_id}/rotate", { key_id: apiKey.key_id }), { overlap_hours: Number(hours) }));
    } catch (cause) {
      if (cause instanceof PortalError && cause.status >= 400 && cause.status < 500) onRefused();
      throw cause;
    }
  };
  return (
    <FormDialog
      title={words.rotateTitle(apiKey.name)}
      onClose={onClose}
      {...state}
      words={[words.rotateIt, words.rotating]}
      onConfirm={() => submit(rotate)}
    >
      <p>{words.rotateWhat}</p>
      <Select
        label={words.oldEnds}
        value={hours}
        onChange={setHours}
        options={overlaps.map((choice) => [choice, words.overlap[choice]] as const)}
      />
      <Notice kind="info">{words.shownOnce}</Notice>
    </FormDialog>
  );
}
