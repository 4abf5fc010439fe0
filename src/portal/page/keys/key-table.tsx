import type { ApiKey } from "../api/portal-records.ts";
import { useNow } from "../common/clock.ts";
import { Icon } from "../common/icon.tsx";
import { Time } from "../common/time.tsx";
import { useShow } from "../common/use-show.ts";
import { useTexts } from "../texts/use-texts.ts";

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly showsCreator: boolean;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

export function KeyTable({ keys, showsCreator, onRotate, onRevoke }: KeyTableProps) {
  const { keys: words, common } = useTexts();
  const now = useNow(30_000);
  if (keys.length === 0) return <p className="quiet">{words.noneActive}</p>;
  return (
    <div className="table-frame">
      <table className="table table-cards">
        <caption className="visually-hidden">{words.title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.scopes}</th>
            {showsCreator && <th scope="col">{words.madeBy}</th>}
            <th scope="col">{words.created}</th>
            <th scope="col">{words.expires}</th>
            <th scope="col">{words.lastUsed}</th>
            <th scope="col">{words.today}</th>
            <th scope="col">
              <span className="visually-hidden">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.key_id} data-state={key.state}>
              <th scope="row">
                <span className="key-name">{key.name}</span>
                <code className="key-prefix">{key.prefix}…</code>
                {key.state !== "active" && (
                  <span className={`badge badge-${key.state}`}>{words.states[key.state]}</span>
                )}
                {isBeingReplaced(key) && <span className="badge">{words.beingReplaced}</span>}
              </th>
              <td data-label={words.scopes}>
                <Scopes scopes={key.scopes} />
              </td>
              {showsCreator && (
                <td data-label={words.madeBy}>
                  <span className="key-creator">{key.creator.name}</span>
                </td>
              )}
              <td data-label={words.created}>
                <Time at={key.created_at} detail="date" />
              </td>
              <td data-label={words.expires}>
                <Expiry at={key.expires_at} now={now} />
              </td>
              <td data-label={words.lastUsed}>
                {key.last_used_at === null ? common.never : <Time at={key.last_used_at} now={now} />}
              </td>
              <td data-label={words.today}>
                <Quota used={key.requests_today} limit={key.limit_today} />
              </td>
              <td>
                {(key.state === "active" || key.state === "disabled") && (
                  <div className="row-actions">
                    {key.state === "active" && !isBeingReplaced(key) && (
                      <button
                        type="button"
                        className="button button-small"
                        aria-label={words.rotateKey(key.name)}
                        onClick={() => onRotate(key)}
                      >
                        <Icon name="rotate" />
                        {words.rotate}
                      </button>
                    )}
                    <button
                      type="button"
                      className="button button-small button-danger"
                      aria-label={words.revokeKey(key.name)}
                      onClick={() => onRevoke(key)}
                    >
                      {words.revoke}
                    </button>
                  </div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
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

const allScopes = 8;

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  const { keys: words } = useTexts();
  if (scopes.length === allScopes) return <span className="tag">{words.allData}</span>;
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
  const { keys: words } = useTexts();
  const show = useShow();
  return (
    <span className="quota">
      <span>
        {show.number(used)} <span className="quiet">{words.ofLimit(show.number(limit))}</span>
      </span>
      <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label={words.todayOfLimit} />
    </span>
  );
}
