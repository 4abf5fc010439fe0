import { createIngestToken, type IngestToken, listTokens, revokeToken } from "../access/ingest-tokens.ts";
import { type Call, command } from "./common/command.ts";
import { requiredText, uuidArgument, uuidOption } from "./common/options.ts";
import { jsonInstant, shortInstant, textTable } from "./common/table.ts";
import { withStore } from "./store/open-store.ts";

const json = { name: "json", help: "print an object for scripts" } as const;

export const ingestTokensCommand = command({
  name: "ingest-tokens",
  summary: "create, list and revoke tokens of the ingest port",
  details: "A token lets a gateway send frames for the devices of one account. It is shown once, when it is created.",
  actions: [
    {
      name: "create",
      summary: "create a token and print it, once",
      options: [
        { name: "account", placeholder: "ID", help: "the account whose devices it may send for", required: true },
        { name: "name", placeholder: "TEXT", help: "what the token is for", required: true },
        json,
      ],
      run: create,
    },
    {
      name: "list",
      summary: "list tokens, without their secrets",
      options: [{ name: "account", placeholder: "ID", help: "only tokens of this account" }, json],
      run: list,
    },
    {
      name: "revoke",
      arguments: ["ID"],
      summary: "revoke a token for good",
      options: [json],
      run: revoke,
    },
  ],
});

async function create(call: Call): Promise<void> {
  const accountId = uuidOption(call, "account") ?? "";
  const name = requiredText(call, "name");
  await withStore(call, { create: false }, async (database) => {
    const { token, secret } = await createIngestToken(database, { accountId, name }, Date.now());
    if (call.options.json) {
      const { id, ...rest } = toJson(token);
      call.terminal.out(JSON.stringify({ id, token: secret, ...rest }));
      return;
    }
    call.terminal.note(`Ingest token ${token.id} of ${token.accountName}. It is shown only once; save it now:`);
    call.terminal.out(secret);
  });
}

async function list(call: Call): Promise<void> {
  const account = uuidOption(call, "account");
  const tokens = await withStore(call, { create: false }, (database) => listTokens(database, account));
  if (call.options.json) return call.terminal.out(JSON.stringify(tokens.map(toJson)));
  const rows = tokens.map((token) => [
    token.id,
    token.prefix,
    token.name,
    token.accountName,
    shortInstant(token.createdAt),
    shortInstant(token.lastUsedAt),
    token.revokedAt === null ? "active" : "revoked",
  ]);
  call.terminal.out(textTable(["ID", "PREFIX", "NAME", "ACCOUNT", "CREATED", "LAST USED", "STATE"], rows));
}

async function revoke(call: Call): Promise<void> {
  const id = uuidArgument(call, "ID");
  await withStore(call, { create: false }, async (database) => {
    const { token, revokedNow } = await revokeToken(database, id, Date.now());
    if (call.options.json) return call.terminal.out(JSON.stringify(toJson(token)));
    const when = shortInstant(token.revokedAt);
    call.terminal.out(revokedNow ? `revoked ${id} (${token.name})` : `${id} was revoked already, at ${when}`);
  });
}

function toJson(token: IngestToken) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    account_id: token.accountId,
    account: token.accountName,
    created_at: jsonInstant(token.createdAt),
    last_used_at: jsonInstant(token.lastUsedAt),
    revoked_at: jsonInstant(token.revokedAt),
  };
}
