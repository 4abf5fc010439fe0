import type { ApiKey } from "../api/portal-records.ts";
import { useNow } from "../common/clock.ts";
import { formatNumber } from "../common/format.ts";
import { Icon } from "../common/icon.tsx";
import { Time } from "../common/time.tsx";

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly showsCreator: boolean;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

const stateWords = { active: "Active", disabled: "Creator disabled", expired: "Expired", revoked: "Revoked" } as const;

export function KeyTable({ keys, showsCreator, onRotate, onRevoke }: KeyTableProps) {
  const now = useNow(30_000);
  if (keys.length === 0) return <p className="quiet">No key is active.</p>;
  return (
    <div className="table-frame">
      <table className="table table-cards">
        <caption className="visually-hidden">API keys</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Scopes</th>
            {showsCreator && <th scope="col">Made by</th>}
            <th scope="col">Created</th>
            <th scope="col">Expires</th>
            <th scope="col">Last used</th>
            <th scope="col">Today</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.key_id} data-state={key.state}>
              <th scope="row">
                <span className="key-name">{key.name}</span>
                <code className="key-prefix">{key.prefix}…</code>
                {key.state !== "active" && <span className={`badge badge-${key.state}`}>{stateWords[key.state]}</span>}
                {isBeingReplaced(key) && <span className="badge">Being replaced</span>}
              </th>
              <td data-label="Scopes">
                <Scopes scopes={key.scopes} />
              </td>
              {showsCreator && (
                <td data-label="Made by">
                  <span className="key-creator">{key.creator.name}</span>
                </td>
              )}
              <td data-label="Created">
                <Time at={key.created_at} detail="date" />
              </td>
              <td data-label="Expires">
                <Expiry at={key.expires_at} now={now} />
              </td>
              <td data-label="Last used">
                {key.last_used_at === null ? "Never" : <Time at={key.last_used_at} now={now} />}
              </td>
              <td data-label="Today">
                <Quota used={key.requests_today} limit={key.limit_today} />
              </td>
              <td>
                {(key.state === "active" || key.state === "disabled") && (
                  <div className="row-actions">
                    {key.state === "active" && !isBeingReplaced(key) && (
                      <button
                        type="button"
                        className="button button-small"
                        aria-label={`Rotate ${key.name}`}
                        onClick={() => onRotate(key)}
                      >
                        <Icon name="rotate" />
                        Rotate
                      </button>
                    )}
                    <button
                      type="button"
                      className="button button-small button-danger"
                      aria-label={`Revoke ${key.name}`}
                      onClick={() => onRevoke(key)}
                    >
                      Revoke
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
  if (at === null) return "Never";
  return <Time at={at} detail={Date.parse(at) - now < nearMs ? "minute" : "date"} />;
}

const allScopes = 8;

function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  if (scopes.length === allScopes) return <span className="tag">All data</span>;
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
  return (
    <span className="quota">
      <span>
        {formatNumber(used)} <span className="quiet">of {formatNumber(limit)}</span>
      </span>
      <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label="Requests today of the limit" />
    </span>
  );
}
