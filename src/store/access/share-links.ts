import type { UserRole } from "../../domain/fleet.ts";
import type { UserVisibility } from "../../domain/visibility.ts";
import { bigint, boolean, oneOf, orNull, type RowOf, text, uuid } from "../columns.ts";
import type { Reader, Transaction } from "../database.ts";
import { limitTo, nothing, sql } from "../sql.ts";
import { listed, omit, table } from "../table.ts";

/** What a visitor reads beside each vehicle. */
export type ShareLabel = "name" | "plate";

/** Why a link has ended: its maker sees none of its vehicles any more, or may no longer sign in. */
export type ShareEnd = "revoked" | "expired" | "maker" | "vehicles" | "account";

const shareTable = table("share_links", ["id"], {
  id: uuid,
  account_id: bigint,
  user_id: uuid,
  secret_hash: text,
  name: text,
  label: oneOf<ShareLabel>(),
  devices_json: text,
  is_live: boolean,
  from_at: orNull(bigint),
  to_at: orNull(bigint),
  created_at: bigint,
  expires_at: bigint,
  last_opened_at: orNull(bigint),
  ended_at: orNull(bigint),
  end_reason: orNull(oneOf<ShareEnd>()),
});

export type ShareRow = RowOf<typeof shareTable.columns>;

const shown = omit(shareTable.columns, "secret_hash");
const columns = listed(shown, "s");

/** A link and what is known of its maker now. */
export interface ListedShareRow extends RowOf<typeof shown> {
  readonly user_name: string;
  readonly role: UserRole;
  readonly user_status: "active" | "disabled";
  readonly account_status: "active" | "suspended";
}

const withMaker = sql`u.name as user_name, u.role, u.status as user_status, a.status as account_status
  from share_links s join users u on u.id = s.user_id join accounts a on a.account_id = s.account_id`;
const selectListed = sql`select ${columns}, ${withMaker}`;

export async function addShare(tx: Transaction, share: ShareRow): Promise<void> {
  await tx.insertMany(shareTable, [share]);
}

export interface OpenedShareRow extends ListedShareRow {
  readonly secret_hash: string;
}

/** Also one that has ended. */
export function shareByHash(reader: Reader, secretHash: string): Promise<OpenedShareRow | null> {
  return reader.get(sql`select ${columns}, s.secret_hash, ${withMaker} where s.secret_hash = ${secretHash}`);
}

/** The owner sees all links of the account, others their own; the newest first. `id`: only that one. */
export function visibleShares(
  reader: Reader,
  { sees, accountId, userId }: UserVisibility,
  id: string | null = null,
): Promise<ListedShareRow[]> {
  const own = sees === "account" ? nothing : sql`and s.user_id = ${userId}`;
  const only = id === null ? nothing : sql`and s.id = ${id}`;
  return reader.all(sql`
    ${selectListed} where s.account_id = ${accountId} ${own} ${only} order by s.created_at desc, s.id ${limitTo(maxListed)}`);
}

/** More than may be open at once, and those that ended lately. */
const maxListed = 2_000;

const isOpen = sql`s.ended_at is null`;

export function openShares(reader: Reader, accountId: number): Promise<ListedShareRow[]> {
  return reader.all(sql`${selectListed} where s.account_id = ${accountId} and ${isOpen} order by s.id`);
}

/** How many are open, of the account and of one user. */
export async function countOpenShares(
  reader: Reader,
  accountId: number,
  userId: string,
  now: number,
): Promise<{ readonly account: number; readonly user: number }> {
  const row = await reader.get<{ account: number; own: number | null }>(sql`
    select count(*) as account, sum(case when s.user_id = ${userId} then 1 else 0 end) as own
    from share_links s where s.account_id = ${accountId} and ${isOpen} and s.expires_at > ${now}`);
  return { account: Number(row?.account ?? 0), user: Number(row?.own ?? 0) };
}

/** Returns whether it was open until now: of two who end it at once, one does. */
export async function endShare(
  tx: Transaction,
  { account_id, id }: Pick<ShareRow, "account_id" | "id">,
  reason: ShareEnd,
  now: number,
): Promise<boolean> {
  const ended = await tx.writeAny(sql`
    update share_links set ended_at = ${now}, end_reason = ${reason}
    where id = ${id} and account_id = ${account_id} and ended_at is null`);
  return ended > 0;
}

export async function changeSharedDevices(tx: Transaction, id: string, devices: readonly (number | null)[]) {
  await tx.writeAny(sql`
    update share_links set devices_json = ${JSON.stringify(devices)} where id = ${id} and ended_at is null`);
}

export async function noteShareOpened(tx: Transaction, id: string, now: number): Promise<void> {
  await tx.writeAny(sql`update share_links set last_opened_at = ${now} where id = ${id}`);
}

/** Links whose time is over and that nobody has ended. */
export function expiredShares(reader: Reader, now: number, count: number): Promise<ListedShareRow[]> {
  return reader.all(
    sql`${selectListed} where ${isOpen} and s.expires_at <= ${now} order by s.expires_at ${limitTo(count)}`,
  );
}

export async function hasSharesEndedBefore(reader: Reader, at: number): Promise<boolean> {
  const one = sql`select 1 as there from share_links where ended_at is not null and ended_at < ${at} ${limitTo(1)}`;
  return (await reader.get(one)) !== null;
}

export async function removeEndedShares(tx: Transaction, endedBefore: number): Promise<void> {
  await tx.run(sql`delete from share_links where ended_at is not null and ended_at < ${endedBefore}`);
}

/** The devices of a link, in their places; null for those of which the maker has lost sight. */
export function devicesOf({ devices_json }: Pick<ShareRow, "devices_json">): readonly (number | null)[] {
  return JSON.parse(devices_json);
}
