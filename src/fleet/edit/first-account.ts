import { isPlainEmail, normalEmail, plainEmailExpected } from "../../domain/text/email.ts";
import { turnsTextAround } from "../../domain/text/text.ts";
import type { Transaction } from "../../store/database.ts";
import { applyFleet } from "../apply/apply.ts";
import type { Line } from "../parse/lines.ts";
import { plainNameExpected } from "../parse/reference.ts";
import { fileOf, WrongFields } from "./edited-file.ts";

/** The first account of a server and its owner, as a person enters them. */
export interface FirstAccount {
  readonly accountName: string;
  readonly timeZone: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

export interface FirstAccountLines {
  readonly accountId: string;
  readonly ownerId: string;
  readonly lines: readonly Line[];
}

/** The lines of a fleet file that say the same, checked. Throws what is wrong with which field. */
export async function firstAccountLines(entered: FirstAccount): Promise<FirstAccountLines> {
  const [accountId, ownerId] = [crypto.randomUUID(), crypto.randomUUID()];
  const account = { type: "account", id: accountId, name: entered.accountName, time_zone: entered.timeZone };
  const { name, email, password } = entered;
  const owner = { type: "user", id: ownerId, account_id: accountId, name, email, password, role: "owner" };
  const wrong: Record<string, string> = {
    ...(turnsTextAround(account.name) && { account_name: plainNameExpected }),
    ...(turnsTextAround(name) && { name: plainNameExpected }),
    ...(!isPlainEmail(normalEmail(email)) && { email: plainEmailExpected }),
    ...(await wrongFields(account, { name: "account_name" })),
    ...(await wrongFields(owner, {})),
  };
  if (Object.keys(wrong).length > 0) throw new WrongFields(wrong);
  return { accountId, ownerId, lines: [account, owner] };
}

async function wrongFields(line: Line, names: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  try {
    await fileOf([line]);
    return {};
  } catch (error) {
    if (!(error instanceof WrongFields)) throw error;
    return Object.fromEntries(Object.entries(error.fields).map(([name, problem]) => [names[name] ?? name, problem]));
  }
}

/**
 * Stores them as a file would, but managed by the portal. The caller holds the lock `fleet`. Returns the account's number.
 */
export async function addFirstAccount(
  tx: Transaction,
  { accountId, ownerId, lines }: FirstAccountLines,
  passwordHash: string,
  now: number,
): Promise<number> {
  const { consequences } = await applyFleet(tx, await fileOf(lines), now, new Map([[ownerId, passwordHash]]));
  const added = consequences.changed.all.find(({ type, id }) => type === "account" && id === accountId);
  if (added === undefined) throw new Error("the first account was not added");
  await consequences.changed.bump(tx, "portal");
  const by = { kind: "user", id: ownerId } as const;
  await consequences.changed.writeAudit(tx, by, now);
  await consequences.write(tx, by, now);
  return added.accountId;
}
