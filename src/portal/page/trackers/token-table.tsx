import { useNow } from "../common/clock.ts";
import { Time } from "../common/time.tsx";
import { useAdministrationTexts } from "../texts/use-administration-texts.ts";
import { useTexts } from "../texts/use-texts.ts";
import type { IngestToken } from "./token-records.ts";

interface TokenTableProps {
  readonly tokens: readonly IngestToken[];
  readonly onRevoke: (token: IngestToken) => void;
}

export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { trackers: words } = useAdministrationTexts();
  const { common } = useTexts();
  const now = useNow(30_000);
  if (tokens.length === 0) return <p className="quiet">{words.noneActive}</p>;
  return (
    <div className="table-frame">
      <table className="table table-cards">
        <caption className="visually-hidden">{words.tokens}</caption>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.created}</th>
            <th scope="col">{words.lastUsed}</th>
            <th scope="col">
              <span className="visually-hidden">{words.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.token_id} data-state={token.revoked_at === null ? "active" : "revoked"}>
              <th scope="row">
                <span className="key-name">{token.name}</span>
                <code className="key-prefix">{token.prefix}…</code>
                {token.revoked_at !== null && <span className="badge badge-revoked">{words.revokedBadge}</span>}
                {token.still_sends && <span className="badge badge-sends">{words.sends}</span>}
              </th>
              <td data-label={words.created}>
                <Time at={token.created_at} detail="date" />
              </td>
              <td data-label={words.lastUsed}>
                {token.last_used_at === null ? common.never : <Time at={token.last_used_at} now={now} />}
              </td>
              <td>
                {token.revoked_at === null && (
                  <div className="row-actions">
                    <button
                      type="button"
                      className="button button-small button-danger"
                      aria-label={words.revokeToken(token.name)}
                      onClick={() => onRevoke(token)}
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
