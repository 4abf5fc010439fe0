import { z } from "zod";
import { createIngestToken, maxTokensPerAccount, revokeToken } from "../../../access/ingest-tokens.ts";
import { instantOrNull } from "../../../api/records/values.ts";
import { isUuid } from "../../../domain/text/identifiers.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import { accountIngestTokens, type ListedIngestTokenRow } from "../../../store/access/ingest-tokens.ts";
import type { IngestToken } from "../../both-sides/contract/trackers.ts";
import { actorOf } from "../../fleet-edit.ts";
import { ingestAddress } from "../../ingest-address.ts";
import { readCheckedBody } from "../../read-body.ts";
import { noSuch } from "../../refusals.ts";
import { keyName } from "../../request-fields.ts";
import { portalRoute, type SignedInCall } from "../../route.ts";

/** A token's last use is noted once a minute, and many trackers report every few minutes. */
const stillSendsMs = 10 * 60_000;

/** The tokens of the account, and the address that trackers send to. */
export const listPortalTokens = portalRoute("GET /fleet/tokens", "owner", async (call) => {
  const { parts, session, request, now } = call;
  const rows = await accountIngestTokens(parts.database, session.visibility.accountId);
  const data = rows.map((row) => tokenRecord(row, now));
  return { body: { data, ingest: ingestAddress(parts.ingest(), request) } };
});

/** The only answer that holds the token itself. */
export const createPortalToken = portalRoute("POST /fleet/tokens", "owner", async (call) => {
  const { parts, session, request, now } = call;
  const { name } = readCheckedBody(call, z.object({ name: keyName }));
  const wanted = { accountId: session.account.id, name, by: actorOf(call), max: maxTokensPerAccount };
  const { token, secret } = await createIngestToken(parts.database, wanted, now);
  const data = tokenRecord(await tokenOfAccount(call, token.id), now);
  return { status: 201, body: { data, token: secret, ingest: ingestAddress(parts.ingest(), request) } };
});

export const revokePortalToken = portalRoute("POST /fleet/tokens/{token_id}/revoke", "owner", async (call) => {
  const { parts, values, now } = call;
  const { id } = await tokenOfAccount(call, values[0]);
  await revokeToken(parts.database, id, now, actorOf(call));
  return { body: { data: tokenRecord(await tokenOfAccount(call, id), now) } };
});

/** A token never changes its account. */
async function tokenOfAccount({ parts, session }: SignedInCall, id = ""): Promise<ListedIngestTokenRow> {
  const { accountId } = session.visibility;
  const [row] = isUuid(id) ? await accountIngestTokens(parts.database, accountId, id.toLowerCase()) : [];
  if (row === undefined) throw noSuch("token");
  return row;
}

function tokenRecord(row: ListedIngestTokenRow, now: number): IngestToken {
  const { id, name, prefix, created_at, last_used_at, revoked_at } = row;
  return {
    token_id: id,
    name,
    prefix,
    created_at: formatInstant(created_at),
    last_used_at: instantOrNull(last_used_at),
    revoked_at: instantOrNull(revoked_at),
    still_sends: revoked_at === null && last_used_at !== null && now - last_used_at < stillSendsMs,
  };
}
