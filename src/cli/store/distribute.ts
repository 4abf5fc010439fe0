import { Failure } from "../../domain/errors.ts";
import { quantity } from "../../domain/text/text.ts";
import { openDatabase } from "../../store/open.ts";
import { type Distributed, distributeStore, requireCluster } from "../../store/postgres/distribute.ts";
import { type CommandCall, command, jsonOption } from "../common/command.ts";
import { countOption } from "../common/options.ts";
import { textTable } from "../common/table.ts";
import { conversionShown } from "./open-store.ts";

/** More would only make each statement costlier. */
const maxShards = 4_096;

export const distributeCommand = command({
  name: "distribute",
  summary: "spread a PostgreSQL store over the machines of a Citus cluster",
  details: [
    "DATABASE_URL leads to the coordinator, to which all nodes connect afterwards as well. All that belongs to an",
    "account goes to one machine, small tables are copied to all of them, and the rest stays on the coordinator.",
    "Stop all nodes and make a backup first. If it is interrupted, nothing has changed; if it is repeated, it",
    "spreads what is not spread yet. How and when: docs/scaling.md.",
  ].join("\n"),
  options: [
    {
      name: "shards",
      placeholder: "N",
      help: "into how many parts the accounts are divided (default: what Citus is set to)",
    },
    jsonOption,
  ],
  run: distribute,
});

async function distribute(call: CommandCall): Promise<void> {
  const { store } = call.settings();
  const shards = countOption(call, "shards", maxShards);
  if (store.engine !== "postgres") {
    throw new Failure("WRONG_CALL", "the store is a file: only a PostgreSQL store can be spread, set DATABASE_URL");
  }
  await requireCluster(store.url);
  // Brings the schema up to date.
  await (await openDatabase(store, { create: true, observe: conversionShown(call.terminal) })).close();
  const done = await distributeStore(store.url, {
    shards,
    onTable: (name, count, total) => call.terminal.progress(`spreading ${name}`.trimEnd(), count, total),
  });
  if (shards !== null && shards !== done.shards) {
    call.terminal.note(
      `--shards ${shards} is ignored: the store was spread over ${quantity(done.shards, "shard")} before`,
    );
  }
  if (call.options.json) return call.terminal.out(JSON.stringify(forScripts(done)));
  for (const line of summary(done)) call.terminal.out(line);
}

const kinds = {
  distributed: "spread by account",
  reference: "copied to every machine",
  local: "on the coordinator",
} as const;

function summary({ citus, workers, shards, tables }: Distributed): string[] {
  const rows = tables.map(({ name, kind, wasDone }) => [name, kinds[kind], wasDone ? "as before" : "done now"]);
  const isNew = tables.some(({ wasDone }) => !wasDone);
  const where = `${quantity(workers, "worker")}, ${quantity(shards, "shard")}, Citus ${citus}`;
  return [
    textTable(["TABLE", "PLACE", ""], rows),
    isNew ? `spread over ${where}` : `nothing to do: spread over ${where}`,
  ];
}

function forScripts({ tables, ...cluster }: Distributed) {
  const done = tables.map(({ name, kind, wasDone }) => ({ name, place: kind, changed: !wasDone }));
  return { ...cluster, tables: done, changed: done.some(({ changed }) => changed) };
}
