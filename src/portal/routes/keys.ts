import { z } from "zod";
import { createKey, revokeKey, rotateKey } from "../../access/keys.ts";
import { instantOrNull } from "../../api/records/values.ts";
import type { AccountLimits } from "../../domain/fleet.ts";
import { allScopes, isScope, type Scope } from "../../domain/scopes.ts";
import { dayOf, formatInstant, parseInstant } from "../../domain/time/time.ts";
import { type UsedApiKeyRow, visibleApiKey, visibleApiKeys } from "../../store/access/api-keys.ts";
import type { ApiKey } from "../both-sides/contract/keys.ts";
import { actorOf } from "../fleet-edit.ts";
import { readCheckedBody, readId } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { keyName } from "../request-fields.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

const hourMs = 3_600_000;
const maxOverlapHours = 168;

export const listPortalKeys = portalRoute("GET /keys", "signed in", async ({ parts, session, now }) => {
  const rows = await visibleApiKeys(parts.database, session.visibility, dayOf(now));
  return { body: { data: rows.map((row) => keyRecord(row, now)) } };
});

export const createPortalKey = portalRoute("POST /keys", "signed in", async (call) => {
  const { parts, session, now } = call;
  const wanted = readCheckedBody(call, newKey(session.account.limits, now));
  const { name, scopes: wantedScopes } = wanted;
  const limits = { perSecond: wanted.per_second ?? null, perDay: wanted.per_day ?? null };
  const request = { email: session.user.email, name, scopes: wantedScopes, ...limits, expiresAt: wanted.expires_at };
  const { key, secret } = await createKey(parts.database, request, now, parts.maxKeysPerUser, actorOf(call));
  return { status: 201, body: { data: keyRecord(await visibleKey(call, key.id), now), key: secret } };
});

const overlap = `expected hours from 0 to ${maxOverlapHours}`;
const rotation = z.object({
  overlap_hours: z.number({ error: overlap }).min(0, overlap).max(maxOverlapHours, overlap),
});

export const rotatePortalKey = portalRoute("POST /keys/{key_id}/rotate", "signed in", async (call) => {
  const { parts, values, now } = call;
  const { id } = await visibleKey(call, values[0]);
  const { overlap_hours } = readCheckedBody(call, rotation);
  const overlapMs = Math.round(overlap_hours * hourMs);
  const { key, secret } = await rotateKey(parts.database, id, overlapMs, now, parts.maxKeysPerUser, actorOf(call));
  parts.api.forgetKeys();
  const [successor, old] = [await visibleKey(call, key.id), await visibleKey(call, id)];
  return { status: 201, body: { data: keyRecord(successor, now), key: secret, old: keyRecord(old, now) } };
});

export const revokePortalKey = portalRoute("POST /keys/{key_id}/revoke", "signed in", async (call) => {
  const { parts, values, now } = call;
  const { id } = await visibleKey(call, values[0]);
  await revokeKey(parts.database, id, now, actorOf(call));
  parts.api.forgetKeys();
  return { body: { data: keyRecord(await visibleKey(call, id), now) } };
});

/** A key's creator never changes, so a key that is visible stays visible. */
async function visibleKey({ parts, session, now }: SignedInCall, id = ""): Promise<UsedApiKeyRow> {
  const row = await visibleApiKey(parts.database, session.visibility, readId({ values: [id] }, "key"), dayOf(now));
  if (row === null) throw noSuch("key");
  return row;
}

function newKey(limits: AccountLimits, now: number) {
  const scopesExpected = `expected some of ${allScopes.join(", ")}`;
  const expiryExpected = "expected a time in the future, or null";
  return z.object({
    name: keyName,
    scopes: z
      .array(
        z.custom<Scope>((value) => typeof value === "string" && isScope(value), { error: scopesExpected }),
        { error: scopesExpected },
      )
      .min(1, "expected at least one scope"),
    expires_at: z
      .string({ error: expiryExpected })
      .nullish()
      .transform((text) => (typeof text === "string" ? (parseInstant(text) ?? 0) : null))
      .refine((instant) => instant === null || instant > now, { error: expiryExpected }),
    per_second: limitWithin(limits.perSecond),
    per_day: limitWithin(Math.min(limits.perDay, limits.accountPerDay ?? limits.perDay)),
  });
}

/** A key may have less than its account, never more. */
function limitWithin(max: number) {
  const error = `expected a whole number from 1 to ${max}, or null for the account's limit`;
  return z.int({ error }).min(1, error).max(max, error).nullish();
}

/** A key as the portal shows it, with what it has used of today. */
function keyRecord(row: UsedApiKeyRow, now: number): ApiKey {
  return {
    key_id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes.split(" "),
    creator: { user_id: row.user_id, name: row.user_name },
    created_at: formatInstant(row.created_at),
    expires_at: instantOrNull(row.expires_at),
    revoked_at: instantOrNull(row.revoked_at),
    replaced_by: row.replaced_by,
    last_used_at: instantOrNull(row.last_used_at),
    limit_per_second: row.limit_per_second,
    limit_per_day: row.limit_per_day,
    requests_today: row.day_used ?? 0,
    limit_today: Math.min(
      row.limit_per_day ?? row.account_per_day,
      row.account_per_day,
      row.together_per_day ?? row.account_per_day,
    ),
    state: stateOf(row, now),
  };
}

/** A key works only as long as its creator may sign in; if the creator is enabled again, so is the key. */
function stateOf({ revoked_at, expires_at, user_status }: UsedApiKeyRow, now: number): ApiKey["state"] {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && expires_at <= now) return "expired";
  return user_status;
}
