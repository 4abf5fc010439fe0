import { createIngestToken } from "../../src/access/ingest-tokens.ts";
import { createKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { openDatabase } from "../../src/store/open.ts";
import { odograph } from "../drills/support/nodes.ts";

/** More than a measurement can ask for. */
const limits = { per_second: 100_000, per_day: 1_000_000_000 } as const;

export interface Access {
  readonly token: string;
  readonly key: string;
}

/** The accounts of a measurement, the same on every store. */
export class Fleet {
  constructor(
    readonly accounts: number,
    readonly devicesEach: number,
    /** Of each device, by its number in its account. */
    readonly tagsOf: (device: number) => readonly string[] = () => [],
  ) {}

  imei(account: number, device: number): string {
    return String(860_000_000_000_000 + account * 1_000_000 + device);
  }

  deviceId(account: number, device: number): string {
    return uuid(9, account * 1_000_000 + device);
  }

  /** Loads the accounts into an empty store, each with a token and a key of its owner. */
  async load(databaseUrl: string): Promise<Access[]> {
    await odograph(["load", "-"], databaseUrl, this.#file());
    const database = await openDatabase({ engine: "postgres", url: databaseUrl }, { create: false });
    const access: Access[] = [];
    for (let account = 0; account < this.accounts; account++) {
      const now = Date.now();
      const owner = { email: emailOf(account), name: "bench", scopes: allScopes };
      const key = await createKey(database, { ...owner, perSecond: null, perDay: null, expiresAt: null }, now);
      const token = await createIngestToken(database, { accountId: uuid(8, account), name: "bench" }, now);
      access.push({ key: key.secret, token: token.secret });
    }
    await database.close();
    return access;
  }

  #file(): string {
    const records: object[] = [];
    for (let account = 0; account < this.accounts; account++) {
      const account_id = uuid(8, account);
      records.push({ type: "account", id: account_id, name: `Account ${account}`, limits });
      const owner = { name: "Owner", email: emailOf(account), role: "owner" };
      records.push({ type: "user", id: uuid(10, account), account_id, ...owner });
      for (let device = 0; device < this.devicesEach; device++) {
        const tracker = { imei: this.imei(account, device), name: `Truck ${device}`, tags: this.tagsOf(device) };
        records.push({ type: "device", id: this.deviceId(account, device), account_id, ...tracker });
      }
    }
    return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

function emailOf(account: number): string {
  return `owner${account}@bench.test`;
}

function uuid(kind: number, number: number): string {
  return `00000000-0000-4000-${(0x8000 + kind).toString(16)}-${String(number).padStart(12, "0")}`;
}
