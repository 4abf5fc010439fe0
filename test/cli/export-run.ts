import type { Command } from "../../src/cli/common/command.ts";
import { exportCommand } from "../../src/cli/export/export.ts";
import { importCommand } from "../../src/cli/load/import.ts";
import type { Settings } from "../../src/cli/settings/settings.ts";
import type { EmptyStore } from "../support/engines.ts";

export type Options = Readonly<Record<string, string | boolean>>;

/** Runs a command in this process, and gives what it printed. `onProgress` is called each time the command reports. */
async function run(
  command: Command,
  store: EmptyStore,
  words: readonly string[],
  options: Options,
  onProgress: () => void = () => {},
): Promise<string> {
  const printed: string[] = [];
  await command.actions[0]?.run({
    arguments: words,
    options,
    settings: () => ({ store: store.target, replicaUrl: null }) as Settings,
    environment: {},
    terminal: { out: (text) => printed.push(text), note: () => {}, progress: onProgress },
  });
  return printed.join("\n");
}

export function runExport(store: EmptyStore, list: string, options: Options, onProgress?: () => void): Promise<string> {
  return run(exportCommand, store, [list], options, onProgress);
}

export function runImport(store: EmptyStore, file: string, options: Options): Promise<string> {
  return run(importCommand, store, [file], options);
}

/** The same, ended by a signal at that report. Gives the message with which it ended, or null if it was over before. */
export async function interruptedExport(
  store: EmptyStore,
  list: string,
  options: Options,
  atReport: number,
): Promise<string | null> {
  let reports = 0;
  const onProgress = () => {
    if (++reports === atReport) process.emit("SIGTERM", "SIGTERM");
  };
  return runExport(store, list, options, onProgress).then(
    () => null,
    (error: Error) => error.message,
  );
}
