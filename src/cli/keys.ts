import { type ApiKey, createKey, listKeys, revokeKey } from "../access/keys.ts";
import { Failure } from "../domain/errors.ts";
import { isScope, type Scope, scopes as scopeTable } from "../domain/scopes.ts";
import { type Call, command } from "./common/command.ts";
import { countOption, instantOption, requiredText, textOption, uuidArgument } from "./common/options.ts";
import { jsonInstant, shortInstant, textTable } from "./common/table.ts";
import { withStore } from "./store/open-store.ts";

const json = { name: "json", help: "print an object for scripts" } as const;

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
        json,
      ],
      settings: ["maxKeysPerUser"],
      run: create,
    },
    {
      name: "list",
      summary: "list keys, without their secrets",
      options: [{ name: "user", placeholder: "EMAIL", help: "only keys that this user created" }, json],
      run: list,
    },
    {
      name: "revoke",
      arguments: ["ID"],
      summary: "revoke a key for good",
      options: [json],
      run: revoke,
    },
  ],
});

async function create(call: Call): Promise<void> {
  const request = {
    email: requiredText(call, "user"),
    name: requiredText(call, "name"),
    scopes: readScopes(requiredText(call, "scopes")),
    perSecond: countOption(call, "per-second"),
    perDay: countOption(call, "per-day"),
    expiresAt: instantOption(call, "expires"),
  };
  const { maxKeysPerUser } = call.settings();
  await withStore(call, { create: false }, async (database) => {
    const { key, secret } = await createKey(database, request, Date.now(), maxKeysPerUser);
    if (call.options.json) {
      const { id, ...rest } = toJson(key);
      call.terminal.out(JSON.stringify({ id, key: secret, ...rest }));
      return;
    }
    call.terminal.note(`Key ${key.id} of ${key.createdBy}. It is shown only once; save it now:`);
    call.terminal.out(secret);
  });
}

async function list(call: Call): Promise<void> {
  const keys = await withStore(call, { create: false }, (database) => listKeys(database, textOption(call, "user")));
  if (call.options.json) return call.terminal.out(JSON.stringify(keys.map(toJson)));
  const headings = ["ID", "PREFIX", "NAME", "CREATED BY", "SCOPES", "CREATED", "EXPIRES", "LAST USED", "STATE"];
  const rows = keys.map((key) => [
    key.id,
    key.prefix,
    key.name,
    key.createdBy,
    key.scopes.length === Object.keys(scopeTable).length ? "all" : key.scopes.join(","),
    shortInstant(key.createdAt),
    shortInstant(key.expiresAt),
    shortInstant(key.lastUsedAt),
    stateOf(key, Date.now()),
  ]);
  call.terminal.out(textTable(headings, rows));
}

async function revoke(call: Call): Promise<void> {
  const id = uuidArgument(call, "ID");
  await withStore(call, { create: false }, async (database) => {
    const { key, revokedNow } = await revokeKey(database, id, Date.now());
    if (call.options.json) return call.terminal.out(JSON.stringify(toJson(key)));
    const when = shortInstant(key.revokedAt);
    call.terminal.out(revokedNow ? `revoked ${id} (${key.name})` : `${id} was revoked already, at ${when}`);
  });
}

function readScopes(text: string): Scope[] {
  if (text === "all") return Object.keys(scopeTable) as Scope[];
  return text.split(",").map((word) => {
    const scope = word.trim();
    if (isScope(scope)) return scope;
    const known = Object.keys(scopeTable).join(", ");
    throw new Failure("WRONG_CALL", `--scopes: expected all or some of ${known}, got "${scope}"`);
  });
}

function stateOf(key: ApiKey, now: number): string {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
}

function toJson(key: ApiKey) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    user: key.createdBy,
    account: key.accountName,
    per_second: key.perSecond,
    per_day: key.perDay,
    created_at: jsonInstant(key.createdAt),
    expires_at: jsonInstant(key.expiresAt),
    last_used_at: jsonInstant(key.lastUsedAt),
    revoked_at: jsonInstant(key.revokedAt),
  };
}
