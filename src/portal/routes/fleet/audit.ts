import { z } from "zod";
import type { FileTexts } from "../../../api/export/file.ts";
import { csvRow } from "../../../api/formats/csv.ts";
import { type Actor, auditKinds, otherActors } from "../../../domain/audit.ts";
import { isUuid } from "../../../domain/text/identifiers.ts";
import { formatInstant } from "../../../domain/time/time.ts";
import type { Reader } from "../../../store/database.ts";
import {
  type AuditedName,
  type AuditLogPage,
  type AuditRow,
  auditedPeople,
  auditRows,
  isNamedType,
  type NamedType,
  namesOf,
} from "../../../store/fleet/audit.ts";
import type { AuditRecord } from "../../both-sides/contract/audit.ts";
import { readQuery } from "../../read-body.ts";
import { oneId, optionalMoment } from "../../request-fields.ts";
import { fileCall, portalRoute, type SignedInCall } from "../../route.ts";

const usualCount = 100;
const maxCount = 500;

const byExpected = `expected the id of a person, or one of ${otherActors.join(", ")}`;
const limitExpected = `expected a whole number from 1 to ${maxCount}`;
const kindNames = Object.keys(auditKinds) as (keyof typeof auditKinds)[];

const filters = z.object({
  from: optionalMoment,
  to: optionalMoment,
  by: z
    .string()
    .refine((text) => isUuid(text) || otherActors.some((kind) => kind === text), { error: byExpected })
    .transform(actorNamed)
    .nullish(),
  kind: z.enum(kindNames, { error: `expected one of ${kindNames.join(", ")}` }).nullish(),
  before: oneId("expected the id of an entry").nullish(),
  limit: z.coerce
    .number({ error: limitExpected })
    .int(limitExpected)
    .min(1, limitExpected)
    .max(maxCount, limitExpected)
    .nullish(),
});

/** Who did what and when, newest first. */
export const listAuditLog = portalRoute("GET /fleet/log", "owner", async (call) => {
  const { count, ...page } = pageOf(call);
  const { rows, hasMore } = await readPage(call, { ...page, count });
  return { body: { data: rows, next_before: hasMore ? (rows.at(-1)?.entry_id ?? null) : null } };
});

/** Of whom the log can be asked for. */
export const listAuditedPeople = portalRoute("GET /fleet/log/people", "owner", async ({ parts, session }) => {
  const people = await auditedPeople(parts.database, session.visibility.accountId);
  return {
    body: { data: people.map(({ id, name, is_removed }) => ({ user_id: id, name, is_removed: is_removed === 1 })) },
  };
});

/** All that the filters leave, as a table. It is sent while it is read, so that only a page of it is in memory. */
export const downloadAuditLog = portalRoute("GET /fleet/log/download", "owner", async (call) => {
  const texts = tableOf(call, { ...pageOf(call), count: maxCount });
  const fileName = `log_${formatInstant(call.now).slice(0, 10)}.csv`;
  return call.parts.api.answerFile({ ...fileCall(call), format: "csv", fileName }, texts);
});

const tableHead = ["at", "actor", "actor_id", "actor_name", "action", "type", "id", "name", "details", "entry_id"];

async function* tableOf(call: SignedInCall, page: AuditLogPage): FileTexts {
  let { before } = page;
  let ahead = csvRow(tableHead);
  for (let hasMore = true; hasMore; ) {
    const { rows, ...rest } = await readPage(call, { ...page, before });
    yield ahead + rows.map(tableRow).join("");
    ahead = "";
    before = rows.at(-1)?.entry_id ?? null;
    hasMore = rest.hasMore;
  }
}

function tableRow({ at, actor, action, type, id, name, details, entry_id }: AuditRecord): string {
  const said = Object.entries(details).map(([key, value]) => `${key}: ${[value].flat().join(", ")}`);
  return csvRow([at, actor.kind, actor.id, actor.name, action, type, id, name, said.join("; "), entry_id]);
}

async function readPage({ parts, session }: SignedInCall, page: AuditLogPage) {
  const { accountId } = session.visibility;
  // One more, to know whether there is another page.
  const found = await auditRows(parts.database, accountId, { ...page, count: page.count + 1 });
  const rows = await auditRecords(parts.database, accountId, found.slice(0, page.count));
  return { rows, hasMore: found.length > page.count };
}

function pageOf({ query }: SignedInCall): AuditLogPage {
  const { from, to, by, kind, before, limit } = readQuery(query, filters);
  return {
    fromMs: from ?? null,
    toMs: to ?? null,
    by: by ?? null,
    types: kind ? auditKinds[kind] : null,
    before: before ?? null,
    count: limit ?? usualCount,
  };
}

function actorNamed(text: string): Actor {
  const kind = otherActors.find((other) => other === text);
  return kind === undefined ? { kind: "user", id: text.toLowerCase() } : { kind };
}

/** Entries with the names that people and things have now: the log itself holds none. */
async function auditRecords(reader: Reader, accountId: number, rows: readonly AuditRow[]): Promise<AuditRecord[]> {
  const wanted = new Map<NamedType, Set<string>>();
  const want = (type: NamedType, id: string) => {
    const ids = wanted.get(type) ?? new Set();
    wanted.set(type, ids.add(id));
  };
  for (const row of rows) {
    if (row.actor_id !== null) want("user", row.actor_id);
    const type = typeOfName(row);
    if (type !== null && isUuid(row.id)) want(type, row.id);
  }
  const names = new Map<NamedType, ReadonlyMap<string, AuditedName>>();
  for (const [type, ids] of wanted) names.set(type, await namesOf(reader, accountId, type, ids));
  return rows.map((row) => {
    const type = typeOfName(row);
    const actor = row.actor_id === null ? undefined : names.get("user")?.get(row.actor_id);
    const record = type === null ? undefined : names.get(type)?.get(row.id);
    return {
      entry_id: row.entry_id,
      at: formatInstant(row.at),
      actor: {
        kind: row.actor,
        id: row.actor_id,
        name: actor?.name ?? null,
        is_removed: actor?.isRemoved ?? false,
      },
      action: row.action,
      type: row.type,
      id: row.id,
      name: record?.name ?? null,
      is_removed: record?.isRemoved ?? false,
      details: row.details_json === null ? {} : JSON.parse(row.details_json),
    };
  });
}

/** Sessions, passwords, links and notifications are those of a person, settings those of a vehicle. */
function typeOfName({ type }: AuditRow): NamedType | null {
  if (["session", "password", "link", "email", "notification"].includes(type)) return "user";
  if (type === "alert_settings") return "device";
  return isNamedType(type) ? type : null;
}
