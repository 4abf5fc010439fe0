/** Runs a command to its end and gives what it printed on standard output. Fails with all that it printed. */
export async function runIn(directory: string, command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.slice(0, 2).join(" ")} failed: ${errors}${output}`);
  return output;
}
