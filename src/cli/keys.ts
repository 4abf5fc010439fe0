import { createKey, listKeys, revokeKey } from "../access/keys.ts";
import { allScopes, isScope, type Scope, scopes as scopeTable } from "../domain/scopes.ts";
import type { ListedApiKeyRow } from "../store/access/api-keys.ts";
import { type CommandCall, command, jsonOption } from "./common/command.ts";
import { printSecret, revokeAction } from "./common/credentials.ts";
import { countOption, instantOption, requiredText, textOption, wrongOption } from "./common/options.ts";
import { jsonInstant, printList, shortInstant, type TextColumns } from "./common/table.ts";
import { withStore } from "./store/open-store.ts";

export const keysCommand = command({
  name: "keys",
  summary: "create, list and revoke API keys",
  details: [
    "A key sees what its creator sees. It is shown once, when it is created: only a hash of it is stored.",
    "Scopes:",
    ...Object.entries(scopeTable).map(([scope, grants]) => `  ${scope.padEnd(15)} ${grants}`),
  ].join("\n"),
  actions: [
    {
      name: "create",
      summary: "create a key and print it, once",
      options: [
        { name: "user", placeholder: "EMAIL", help: "the creator", required: true },
        { name: "name", placeholder: "TEXT", help: "what the key is for", required: true },
        { name: "scopes", placeholder: "A,B|all", help: "what it may read", required: true },
        { name: "per-second", placeholder: "N", help: "requests per second (default: the account's)" },
        { name: "per-day", placeholder: "N", help: "requests per UTC day (default: the account's)" },
        { name: "expires", placeholder: "TIME", help: "when it stops working (default: never)" },
        jsonOption,
      ],
      settings: ["maxKeysPerUser"],
      run: printNewKey,
    },
    {
      name: "list",
      summary: "list keys, without their secrets",
      options: [{ name: "user", placeholder: "EMAIL", help: "only keys that this user created" }, jsonOption],
      run: printKeys,
    },
    revokeAction("key", revokeKey, keyJson),
  ],
});

async function printNewKey(call: CommandCall): Promise<void> {
  const request = {
    email: requiredText(call, "user"),
    name: requiredText(call, "name"),
    scopes: readScopes(requiredText(call, "scopes")),
    perSecond: countOption(call, "per-second"),
    perDay: countOption(call, "per-day"),
    expiresAt: instantOption(call, "expires"),
  };
  const { maxKeysPerUser } = call.settings();
  await withStore(call, async (database) => {
    const { key, secret } = await createKey(database, request, Date.now(), maxKeysPerUser);
    const { id, ...rest } = keyJson(key);
    if (call.options.json) return call.terminal.out(JSON.stringify({ id, key: secret, ...rest }));
    printSecret(call, `Key ${id} of ${key.user_email}`, secret);
  });
}

async function printKeys(call: CommandCall): Promise<void> {
  const keys = await withStore(call, (database) => listKeys(database, textOption(call, "user")));
  const now = Date.now();
  const columns: TextColumns<ListedApiKeyRow> = {
    ID: ({ id }) => id,
    PREFIX: ({ prefix }) => prefix,
    NAME: ({ name }) => name,
    "CREATED BY": ({ user_email }) => user_email,
    SCOPES: ({ scopes }) => (scopes.split(" ").length === allScopes.length ? "all" : scopes.replaceAll(" ", ",")),
    CREATED: ({ created_at }) => shortInstant(created_at),
    EXPIRES: ({ expires_at }) => shortInstant(expires_at),
    "LAST USED": ({ last_used_at }) => shortInstant(last_used_at),
    STATE: (key) => stateOf(key, now),
  };
  printList(call, keys, columns, keyJson);
}

function readScopes(text: string): readonly Scope[] {
  if (text === "all") return allScopes;
  return text.split(",").map((word) => {
    const scope = word.trim();
    if (isScope(scope)) return scope;
    throw wrongOption("scopes", `all or some of ${allScopes.join(", ")}`, scope);
  });
}

function stateOf({ revoked_at, expires_at }: ListedApiKeyRow, now: number): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && expires_at <= now ? "expired" : "active";
}

function keyJson(key: ListedApiKeyRow) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes.split(" "),
    user: key.user_email,
    account: key.account_name,
    per_second: key.limit_per_second,
    per_day: key.limit_per_day,
    created_at: jsonInstant(key.created_at),
    expires_at: jsonInstant(key.expires_at),
    last_used_at: jsonInstant(key.last_used_at),
    revoked_at: jsonInstant(key.revoked_at),
  };
}
