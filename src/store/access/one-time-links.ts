import { bigint, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { sql } from "../sql.ts";
import { listed, table } from "../table.ts";

/** What a link is for: the first run of a server, the first password of a user, another password. */
export type LinkPurpose = "setup" | "invitation" | "reset";

const linkTable = table("one_time_links", ["token_hash"], {
  token_hash: text,
  purpose: oneOf<LinkPurpose>(),
  /** Null for the first run: there is no account yet. */
  account_id: orNull(bigint),
  user_id: orNull(uuid),
  created_at: bigint,
  expires_at: bigint,
  used_at: orNull(bigint),
  /** The only one who was shown the link: using it confirms this address. Null: others have seen it. */
  mailed_to: orNull(text),
});

export type LinkRow = RowOf<typeof linkTable.columns>;

const columns = listed(linkTable.columns);

export async function addLink(tx: Transaction, link: LinkRow): Promise<void> {
  await tx.insertMany(linkTable, [link]);
}

/** Also one that is used or expired. */
export function linkByHash(reader: Reader, tokenHash: string): Promise<LinkRow | null> {
  return reader.get(sql`select ${columns} from one_time_links where token_hash = ${tokenHash}`);
}

/** Marks a link as used. Null if it is used already, or expired: of two calls at once, on whatever nodes, one gets it. */
export function takeLink(tx: Transaction, tokenHash: string, now: number): Promise<LinkRow | null> {
  return tx.get(sql`
    update one_time_links set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
    returning ${columns}`);
}

/** Removes the links of a user that nobody has used; without a user, those of the first run. */
export async function removeUnusedLinks(tx: Transaction, userId: string | null): Promise<void> {
  const whose = userId === null ? sql`user_id is null` : sql`user_id = ${userId}`;
  await tx.run(sql`delete from one_time_links where ${whose} and used_at is null`);
}

export async function removeOldLinks(tx: Transaction, endedBefore: number): Promise<void> {
  await tx.run(sql`delete from one_time_links where expires_at < ${endedBefore}`);
}

export interface OpenLinkRow {
  readonly user_id: string;
  /** The first run is no user's. */
  readonly purpose: Exclude<LinkPurpose, "setup">;
  readonly created_at: number;
  readonly expires_at: number;
}

/** The links of an account's users that can still be used, the newest last. */
export function openLinks(reader: Reader, accountId: number, now: number): Promise<OpenLinkRow[]> {
  return reader.all(sql`
    select user_id, purpose, created_at, expires_at from one_time_links
    where account_id = ${accountId} and user_id is not null and used_at is null and expires_at > ${now}
    order by created_at, token_hash`);
}
