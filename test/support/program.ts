import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bunArguments } from "../../bin/launch.mjs";
import { patienceMs, until } from "./patience.ts";

/** What people start. It may stand between them and the program: see `fromSources`. */
export const launcher = fileURLToPath(new URL("../../bin/odograph", import.meta.url));

/** The program itself, as the launcher starts it: for what is killed, or must end with its parent. */
export const fromSources = [process.execPath, ...bunArguments([])];

/**
 * `npm test` compiles the program first: in one file it needs half as much of the processor to start, and the tests
 * start it more than a thousand times. `bun test` alone runs it from its sources.
 */
export const usualProgram = process.env.ODOGRAPH_TEST_RUN
  ? [join(process.env.ODOGRAPH_TEST_RUN, "odograph")]
  : fromSources;

const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface ProgramOptions {
  /** Another file than usual. */
  readonly program?: string;
  /** Added to a bare environment: settings of the machine that runs the tests must not reach the program. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  /** What `listening ` was followed by. */
  readonly url: string;
  readonly pid: number;

  /** SIGTERM, and everything it printed until it ended. */
  stop(): Promise<ProgramResult>;

  /** SIGKILL. */
  kill(): Promise<void>;

  /** Resolves when its log holds the text. */
  logged(text: string): Promise<void>;

  /** Resolves when it has ended by itself or by a signal. */
  readonly ended: Promise<ProgramResult>;
}

/** How far the work is: what takes longer than five seconds says so, which a slow machine gets to hear. */
const progress = /^[a-z ]+: \d+ %\n/gm;

/** Runs the real program to its end. What it says of its progress is left out. */
export async function runOdograph(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  const child = spawnOdograph(args, options);
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr: stderr.replace(progress, "") };
}

/** Nobody waits for a balancer at the end of a test, unless the test says so. */
const noDraining = { ODOGRAPH_DRAIN_SECONDS: "0" } as const;

/** Starts the real program and waits until it says `listening URL`. Stop or kill it in the test that started it. */
export async function startOdograph(args: readonly string[], options: ProgramOptions = {}): Promise<RunningProgram> {
  const child = spawnOdograph(args, { ...options, env: { ...noDraining, ...options.env } });
  const listening = Promise.withResolvers<string>();
  const stdout = readAll(child.stdout, (text) => {
    const url = /^listening (\S+)/m.exec(text)?.[1];
    if (url !== undefined) listening.resolve(url);
  });
  let log = "";
  const stderr = readAll(child.stderr, (text) => {
    log = text;
  });
  const ended = Promise.all([stdout, stderr, child.exited]).then(([out, err, code]) => ({
    code,
    stdout: out,
    stderr: err,
  }));
  ended.then((result) =>
    listening.reject(new Error(`odograph ended before it listened (${result.code}): ${result.stderr}`)),
  );
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    listening.reject(new Error(`odograph did not listen within ${patienceMs} ms`));
  }, patienceMs);
  try {
    const url = await listening.promise;
    return {
      url,
      pid: child.pid,
      ended,
      logged: (text) => until(() => log.includes(text)),
      stop: () => {
        child.kill("SIGTERM");
        return ended;
      },
      kill: async () => {
        child.kill("SIGKILL");
        await ended;
      },
    };
  } finally {
    clearTimeout(timer);
  }
}

/** How much `npm test` has the code of programs compiled that live for seconds. */
const { BUN_JSC_useFTLJIT: fastestCode } = process.env;
const compiler: Readonly<Record<string, string>> = fastestCode === undefined ? {} : { BUN_JSC_useFTLJIT: fastestCode };

/** Starts the real program and leaves the rest to the test, e.g. to kill it before it listens. */
export function spawnOdograph(
  args: readonly string[],
  { program, env = {}, input = "", cwd = repository }: ProgramOptions = {},
) {
  return Bun.spawn([...(program === undefined ? usualProgram : [program]), ...args], {
    cwd,
    // The flag makes Bun end with its parent, so that a killed test run leaves no server behind. The compiled program
    // does not know it; `npm test` ends whatever its tests started.
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", BUN_FEATURE_FLAG_NO_ORPHANS: "1", ...compiler, ...env },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
}

async function readAll(stream: ReadableStream<Uint8Array>, onText: (textSoFar: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    onText(text);
  }
  return text;
}
