import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { filled, recalled } from "./filled.ts";

const clone = fileURLToPath(new URL("../..", import.meta.url));

/** What `odograph` is for those who have put it on the path: compiled, as a release is, where `npm test` has done that. */
const odographOnPath = process.env.ODOGRAPH_TEST_RUN
  ? join(process.env.ODOGRAPH_TEST_RUN, "odograph")
  : join(clone, "bin/odograph");

// Here alone a page's words are not what is run: its ports and its directory are those of a machine with nothing else on it.
const documentedApi = "127.0.0.1:8080";
const documentedIngest = "127.0.0.1:8081";
const documentedDirectory = "/srv/fleet";

/** What takes longer than five seconds says how far it is, which only a slow machine gets to hear. */
const progress = /^[a-z ]+: \d+ %\n/gm;

/** Commands that would do too much, or take too long. */
const standIns = {
  // `while sleep 10` goes round three times, at once.
  sleep: '#!/bin/sh\nn=$(($(cat "$0.count" 2>/dev/null || echo 0) + 1))\necho $n > "$0.count"\n[ $n -le 3 ]\n',
  // The user who runs the tests is root and every other user to the pages.
  sudo: '#!/bin/sh\n[ "$1" = -u ] && shift 2\nexec "$@"\n',
  // Without owner and mode.
  install:
    '#!/bin/sh\n[ "$1" = -d ] && { for to; do :; done; exec mkdir -p "$to"; }\n[ "$1" = -m ] && shift 2\nexec cp "$1" "$2"\n',
  systemctl: "#!/bin/sh\n",
} as const;

export interface Outcome {
  /** Of standard output and standard error, in the page's own words. */
  readonly output: string;
  /** Commands that failed where nobody asked whether they would. */
  readonly failed: readonly string[];
}

/** An empty directory with a shell in it, as a reader has before a terminal; and a second terminal for a server. */
export class Stage {
  readonly directory: string;
  readonly #outer: string;
  readonly #environment: Record<string, string>;
  readonly #shell: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #answers: AsyncIterator<string>;
  readonly #memory = new Map<string, string>();
  /** What the pages say, and what it is in this run. */
  readonly #words: Map<string, string>;
  #server: Bun.Subprocess<"ignore", "pipe", "inherit"> | null = null;
  #rest: Promise<string[]> | null = null;
  #blocks = 0;

  static async open(): Promise<Stage> {
    const outer = await realpath(await mkdtemp(join(tmpdir(), "odograph-docs-")));
    for (const name of ["fleet", "tools", "home", "strict"]) await mkdir(join(outer, name));
    // As in a clone: `bin/odograph` and `deploy/` from where the reader is.
    for (const name of ["bin", "deploy"]) await symlink(join(clone, name), join(outer, "fleet", name));
    await symlink(odographOnPath, join(outer, "tools/odograph"));
    await symlink(join(clone, "node_modules/bun/bin/bun.exe"), join(outer, "tools/bun"));
    for (const [name, text] of Object.entries(standIns))
      await writeFile(join(outer, "tools", name), text, { mode: 0o755 });
    await writeFile(join(outer, "strict/.curlrc"), "silent\nshow-error\nfail-with-body\n");
    return new Stage(outer);
  }

  private constructor(outer: string) {
    this.#outer = outer;
    this.directory = join(outer, "fleet");
    this.#words = new Map([[documentedDirectory, this.directory]]);
    this.#environment = {
      PATH: `${join(outer, "tools")}:${process.env.PATH}`,
      HOME: join(outer, "home"),
      TZ: "UTC",
      LANG: "C.UTF-8",
      BUN_FEATURE_FLAG_NO_ORPHANS: "1",
    };
    const options = { cwd: this.directory, env: this.#environment } as const;
    const shell = ["bash", "--noprofile", "--norc"];
    this.#shell = Bun.spawn(shell, { ...options, stdin: "pipe", stdout: "pipe", stderr: "inherit" });
    this.#answers = linesOf(this.#shell.stdout);
    this.#type("set -o pipefail; status=0; failed=(); trap 'failed+=(\"$BASH_COMMAND\")' ERR");
  }

  /** Runs commands to their end. Variables stay for those that follow. Strictly: a call that is refused is a failure. */
  async run(commands: string, how: "strictly" | "as it comes" = "strictly"): Promise<Outcome> {
    const path = join(this.#outer, `block-${++this.#blocks}`);
    // `$?` is that of the reader's last command, which is not the shell's.
    await writeFile(path, `${this.#spoken(commands).replaceAll("$?", "$status")}\n`);
    // curl reads its settings from there.
    this.#type(`export CURL_HOME='${join(this.#outer, how === "strictly" ? "strict" : "home")}'`);
    this.#type(`failed=(); . '${path}' > '${path}.out' 2>&1 < /dev/null; status=$?`);
    this.#type(`printf '%s\\0' "\${failed[@]}" > '${path}.failed'; echo done`);
    await this.#answers.next();
    const failed = (await readFile(`${path}.failed`, "utf8")).split("\0").filter((command) => command !== "");
    return { output: this.#heard(await readFile(`${path}.out`, "utf8")), failed };
  }

  /** Starts a server in a second terminal and waits until it listens. Gives what it has printed until then. */
  async serve(command: string): Promise<string> {
    // Any free ports; which ones, it says itself.
    const env = { ...this.#environment, ODOGRAPH_PORT: "0", ODOGRAPH_INGEST_PORT: "0" };
    const server = Bun.spawn(["bash", "-c", `exec ${this.#spoken(command)} 2>&1`], {
      cwd: this.directory,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#server = server;
    const lines = linesOf(server.stdout);
    let printed = "";
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      printed += `${next.value}\n`;
      const [api, ingest] = ["url", "ingestUrl"].map(
        (name) => new RegExp(`\\b${name}"?[:=]"?http://([\\d.:]+)`).exec(next.value ?? "")?.[1],
      );
      if (api === undefined || ingest === undefined) continue;
      this.#words.set(documentedApi, api).set(documentedIngest, ingest);
      // A server whose log nobody reads any more would end.
      this.#rest = Array.fromAsync(lines);
      return this.#heard(printed);
    }
    throw new Error(`${command} ended before it listened: ${printed}`);
  }

  async stopServer(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    this.#server?.kill(signal);
    await Promise.all([this.#server?.exited, this.#rest]);
    this.#server = null;
  }

  /** What a page shows as output, with this run's ids, secrets and times. */
  filled(shown: string, printed: string): string {
    return filled(shown, printed, this.#memory);
  }

  /** Lets a word of the pages stand for something of this run: a placeholder, or what an earlier page has made. */
  mean(word: string, actual: string): void {
    this.#words.set(word, actual);
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.directory, name), text);
  }

  async close(): Promise<void> {
    await this.stopServer();
    this.#shell.stdin.end();
    await this.#shell.exited;
    await rm(this.#outer, { recursive: true, force: true });
  }

  #type(line: string): void {
    this.#shell.stdin.write(`${line}\n`);
    this.#shell.stdin.flush();
  }

  #spoken(text: string): string {
    const spoken = [...this.#words].reduce((said, [word, actual]) => said.replaceAll(word, actual), text);
    return recalled(spoken, this.#memory);
  }

  /** The other way, and the last word first: directories lie in the first one. */
  #heard(text: string): string {
    const words = [...this.#words].reverse();
    const printed = text.replaceAll("\r", "").replace(progress, "");
    return words.reduce((heard, [word, actual]) => heard.replaceAll(actual, word), printed);
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}
