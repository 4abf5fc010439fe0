import { copyFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packClient } from "../client/packed-client.ts";
import { until } from "../support/patience.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));

export interface ExampleProject {
  /** Starts an example as its header says, in the project's directory. */
  start(file: string, env: Readonly<Record<string, string>>, ...words: readonly string[]): RunningExample;
  readonly directory: string;
  remove(): Promise<void>;
}

export interface RunningExample {
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  /** Resolves when it has printed the text. */
  prints(text: string): Promise<void>;
  /** Resolves when it is so. An error if the program ends before. */
  makes(isSo: () => Promise<boolean> | boolean): Promise<void>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number>;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** A project that has installed the client from its package, with the examples copied into it. */
export async function exampleProject(): Promise<ExampleProject> {
  const { project: directory, remove } = await packClient();
  const files = (await readdir(examples)).filter((name) => name.endsWith(".ts"));
  for (const name of files) await copyFile(join(examples, name), join(directory, name));
  return {
    directory,
    remove,
    start: (file, env, ...words) => startProcess([process.execPath, "--no-install", file, ...words], directory, env),
  };
}

export function startProcess(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): RunningExample {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", BUN_FEATURE_FLAG_NO_ORPHANS: "1", INTERVAL_S: "0.1", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let printed = "";
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) printed += decoder.decode(chunk, { stream: true });
  };
  const ended = Promise.all([child.exited, read(child.stdout), read(child.stderr)]).then(([code]) => code);
  let hasEnded = false;
  ended.then(() => {
    hasEnded = true;
  });
  const makes: RunningExample["makes"] = (isSo) =>
    until(async () => {
      const wasOver = hasEnded;
      const isItSo = await isSo();
      if (wasOver && !isItSo) throw new Error(`${command[0]} ended: ${printed}`);
      return isItSo;
    });
  return {
    printed: () => printed,
    ended,
    prints: (text) => makes(() => printed.includes(text)),
    makes,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
