import { alertsCommand } from "./alerts.ts";
import { backupCommand } from "./backup.ts";
import type { Command } from "./command.ts";
import { configCommand } from "./config.ts";
import { demoCommand } from "./demo.ts";
import { helpCommand } from "./help.ts";
import { importCommand } from "./import.ts";
import { ingestTokensCommand } from "./ingest-tokens.ts";
import { keysCommand } from "./keys.ts";
import { loadCommand } from "./load.ts";
import { rederiveCommand } from "./rederive.ts";
import { restoreCommand } from "./restore.ts";
import { serveCommand } from "./serve.ts";
import { simulateCommand } from "./simulate.ts";
import { versionCommand } from "./version.ts";

/** Everything the program can be asked to do. Help, the documentation's test and the dispatch read this list. */
export const commands: readonly Command[] = [
  demoCommand,
  serveCommand,
  loadCommand,
  importCommand,
  keysCommand,
  ingestTokensCommand,
  alertsCommand,
  rederiveCommand,
  backupCommand,
  restoreCommand,
  simulateCommand,
  configCommand,
  versionCommand,
  helpCommand(() => commands),
];
