// A temporary directory that is removed when its owner ends, however it ends: even `kill -9` leaves nothing behind.
// Runs under Node and Bun.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";

// A small shell outlives its parent for a moment. Its standard input is a pipe that nobody else holds: the end of that
// pipe is the end of the parent. Until then each line is a step to run, answered with its exit code.
const supervisor = `
trap '' PIPE
umask 077
directory=$(mktemp -d "$1/odograph-test.XXXXXX" 2>/dev/null || mktemp -d /tmp/odograph-test.XXXXXX) || exit 1
before_removal() { :; }
leave() {
  trap '' INT TERM HUP
  before_removal
  rm -rf "$directory"
}
trap leave EXIT
trap 'exit 1' INT TERM HUP
eval "$2"
echo "$directory" 2>/dev/null
while IFS=' ' read -r step argument; do
  "step_$step" "$argument" >>"$directory/$step.log" 2>&1
  echo "$?" 2>/dev/null
done
`;

/**
 * @param {object} [options]
 * @param {{ uid: number, gid: number } | null} [options.owner] who owns the directory and runs the steps; we by default
 * @param {string} [options.steps] shell functions `step_NAME`, and `before_removal` to stop what they started; they find
 *   `$directory`, and what they print goes to `NAME.log` in it
 * @returns {Promise<{ directory: string, step(name: string, argument?: string): Promise<number>, remove(): Promise<void> }>}
 */
export async function createSupervisedDirectory({ owner = null, steps = "" } = {}) {
  const child = spawn("/bin/sh", ["-c", supervisor, "supervisor", tmpdir(), steps], {
    // In a session of its own, so that a Ctrl-C meant for the parent does not reach it and what it runs.
    detached: true,
    // A directory that every user can enter, and nothing of ours (PGDATA, LD_PRELOAD, …) in the environment.
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    stdio: ["pipe", "pipe", "inherit"],
    ...(owner ?? {}),
  });
  const exited = new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
  exited.catch(() => {});
  // Writing to a supervisor that is gone is reported by its missing answer.
  child.stdin.on("error", () => {});
  const answers = readLines(child.stdout);
  const nextAnswer = async () => {
    const { value, done } = await answers.next();
    if (done) throw new Error(`the supervisor of a temporary directory ended early (${await exited})`);
    return value;
  };

  const directory = await nextAnswer();
  const handles = [child, child.stdin, child.stdout];
  const hold = (isHeld) => {
    for (const handle of handles) isHeld ? handle.ref?.() : handle.unref?.();
  };
  // A caller that forgets to remove the directory can still end; its end removes it.
  hold(false);

  return {
    directory,
    async step(name, argument = "") {
      hold(true);
      child.stdin.write(`${name} ${argument}\n`);
      const code = Number(await nextAnswer());
      hold(false);
      return code;
    },
    async remove() {
      hold(true);
      child.stdin.end();
      await exited;
    },
  };
}

async function* readLines(stream) {
  let text = "";
  for await (const chunk of stream) {
    text += chunk;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}
