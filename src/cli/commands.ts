import { Failure } from "../domain/errors.ts";
import type { Command } from "./common/command.ts";

/**
 * Every command, in the order that help lists them. Only the command that is called is loaded: the server's parts alone
 * take longer to load than most commands run.
 */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  demo: async () => (await import("./demo/demo.ts")).demoCommand,
  serve: async () => (await import("./serving/serve.ts")).serveCommand,
  healthy: async () => (await import("./serving/healthy.ts")).healthyCommand,
  load: async () => (await import("./load/load.ts")).loadCommand,
  import: async () => (await import("./load/import.ts")).importCommand,
  export: async () => (await import("./export/export.ts")).exportCommand,
  fleet: async () => (await import("./fleet.ts")).fleetCommand,
  keys: async () => (await import("./keys.ts")).keysCommand,
  users: async () => (await import("./users.ts")).usersCommand,
  "ingest-tokens": async () => (await import("./ingest-tokens.ts")).ingestTokensCommand,
  trackers: async () => (await import("./trackers/trackers.ts")).trackersCommand,
  alerts: async () => (await import("./alerts.ts")).alertsCommand,
  rederive: async () => (await import("./store/rederive.ts")).rederiveCommand,
  explain: async () => (await import("./store/explain.ts")).explainCommand,
  erase: async () => (await import("./erase/erase.ts")).eraseCommand,
  backup: async () => (await import("./store/backup.ts")).backupCommand,
  restore: async () => (await import("./store/restore.ts")).restoreCommand,
  distribute: async () => (await import("./store/distribute.ts")).distributeCommand,
  simulate: async () => (await import("./simulate.ts")).simulateCommand,
  config: async () => (await import("./config.ts")).configCommand,
  version: async () => (await import("./version.ts")).versionCommand,
  help: async () => (await import("./help.ts")).helpCommand({ findCommand, allCommands }),
};

export function findCommand(name: string): Promise<Command> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  if (load) return load();
  const hint = name.startsWith("-") ? ": options come after the command" : "";
  throw new Failure("WRONG_CALL", `unknown command "${name}"${hint}; the commands are ${commandNames.join(", ")}`);
}

export const commandNames = Object.keys(loaders);

export function allCommands(): Promise<Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}
