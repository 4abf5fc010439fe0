import { fileURLToPath } from "node:url";

const client = fileURLToPath(new URL("../../client-python", import.meta.url));
const program = fileURLToPath(new URL("program.py", import.meta.url));

/** What the program beside this file prints; null, with a line that says so, on a machine without Python. */
export async function runPython(...words: readonly string[]): Promise<unknown> {
  const python = Bun.which("python3");
  if (python === null) {
    console.log("skipped: there is no python3 to run client-python/ with");
    return null;
  }
  const child = Bun.spawn([python, "-W", "error", "-B", program, ...words], {
    env: { PATH: process.env.PATH ?? "", PYTHONPATH: client },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`python3 failed: ${complaint}`);
  return JSON.parse(output);
}
