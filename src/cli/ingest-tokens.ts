import { createIngestToken, listTokens, revokeToken } from "../access/ingest-tokens.ts";
import type { ListedIngestTokenRow } from "../store/access/ingest-tokens.ts";
import { type CommandCall, command, jsonOption } from "./common/command.ts";
import { printSecret, revokeAction } from "./common/credentials.ts";
import { requiredText, uuidOption } from "./common/options.ts";
import { jsonInstant, printList, shortInstant, type TextColumns } from "./common/table.ts";
import { withStore } from "./store/open-store.ts";

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
        jsonOption,
      ],
      run: printNewToken,
    },
    {
      name: "list",
      summary: "list tokens, without their secrets",
      options: [{ name: "account", placeholder: "ID", help: "only tokens of this account" }, jsonOption],
      run: printTokens,
    },
    revokeAction("token", revokeToken, tokenJson),
  ],
});

async function printNewToken(call: CommandCall): Promise<void> {
  const accountId = uuidOption(call, "account") ?? "";
  const name = requiredText(call, "name");
  await withStore(call, async (database) => {
    const { token, secret } = await createIngestToken(database, { accountId, name }, Date.now());
    const { id, ...rest } = tokenJson(token);
    if (call.options.json) return call.terminal.out(JSON.stringify({ id, token: secret, ...rest }));
    printSecret(call, `Ingest token ${id} of ${token.account_name}`, secret);
  });
}

async function printTokens(call: CommandCall): Promise<void> {
  const account = uuidOption(call, "account");
  const tokens = await withStore(call, (database) => listTokens(database, account));
  const columns: TextColumns<ListedIngestTokenRow> = {
    ID: ({ id }) => id,
    PREFIX: ({ prefix }) => prefix,
    NAME: ({ name }) => name,
    ACCOUNT: ({ account_name }) => account_name,
    CREATED: ({ created_at }) => shortInstant(created_at),
    "LAST USED": ({ last_used_at }) => shortInstant(last_used_at),
    STATE: ({ revoked_at }) => (revoked_at === null ? "active" : "revoked"),
  };
  printList(call, tokens, columns, tokenJson);
}

function tokenJson({ id, name, prefix, account, account_name, ...times }: ListedIngestTokenRow) {
  return {
    id,
    name,
    prefix,
    account_id: account,
    account: account_name,
    created_at: jsonInstant(times.created_at),
    last_used_at: jsonInstant(times.last_used_at),
    revoked_at: jsonInstant(times.revoked_at),
  };
}
