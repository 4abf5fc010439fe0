import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { startPostgres } from "./postgres-server.mjs";
import { createSupervisedDirectory } from "./supervised-directory.mjs";

/** A program that starts a server, has another child beside it, tells where things are, and does not end. */
const careless = `
  import { spawn } from "node:child_process";
  import { startPostgres } from ${JSON.stringify(fileURLToPath(new URL("./postgres-server.mjs", import.meta.url)))};
  const server = await startPostgres();
  const bystander = spawn("sleep", ["600"], { stdio: "ignore" });
  console.log(JSON.stringify({ url: server.url, bystander: bystander.pid }));
  setInterval(() => {}, 1000);
`;

test("a PostgreSQL server answers until it is stopped", async () => {
  const server = await startPostgres();
  const sql = new SQL({ url: server.url, max: 1 });
  expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
  await sql.close();
  await server.stop();
  expect(await isReachable(server.url)).toBe(false);
});

test.each([
  ["Bun", process.execPath],
  ["Node", "node"],
])("a server does not outlive a killed process (%s)", async (_, runtime) => {
  const program = Bun.spawn([runtime, ...(runtime === "node" ? ["--input-type=module"] : []), "-e", careless], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const { value } = await program.stdout.getReader().read();
  const { url, bystander } = JSON.parse(new TextDecoder().decode(value));
  const sql = new SQL({ url, max: 1 });
  const [{ data_directory: directory }] = await sql`show data_directory`;
  await sql.close();
  expect(existsSync(directory)).toBe(true);

  program.kill("SIGKILL");
  // The supervisor holds the other end of this pipe until it has cleaned up.
  await new Response(program.stderr).text();
  process.kill(bystander, "SIGKILL");
  expect(existsSync(directory)).toBe(false);
  expect(await isReachable(url)).toBe(false);
});

test("a supervised directory is removed with all that is in it", async () => {
  const place = await createSupervisedDirectory({ steps: 'step_write() { echo "$1" >"$directory/file"; }' });
  expect(await place.step("write", "some text")).toBe(0);
  expect(await Bun.file(`${place.directory}/file`).text()).toBe("some text\n");
  await place.remove();
  expect(existsSync(place.directory)).toBe(false);
});

async function isReachable(url: string): Promise<boolean> {
  const sql = new SQL({ url, max: 1, connectionTimeout: 5 });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.close();
  }
}
