import type { Command } from "./command.ts";
import { configCommand } from "./config.ts";
import { helpCommand } from "./help.ts";
import { ingestTokensCommand } from "./ingest-tokens.ts";
import { keysCommand } from "./keys.ts";
import { loadCommand } from "./load.ts";
import { serveCommand } from "./serve.ts";
import { versionCommand } from "./version.ts";

/** Everything the program can be asked to do. Help, the documentation's test and the dispatch read this list. */
export const commands: readonly Command[] = [
  serveCommand,
  loadCommand,
  keysCommand,
  ingestTokensCommand,
  configCommand,
  versionCommand,
  helpCommand(() => commands),
];
