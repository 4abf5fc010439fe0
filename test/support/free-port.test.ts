import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("./free-port.mjs", import.meta.url));

/** Asks for some ports, says which, and ends when it is told to. */
const asking = `
  import { text } from "node:stream/consumers";
  import { freePort } from ${JSON.stringify(file)};
  const ports = [];
  while (ports.length < 30) ports.push(await freePort());
  console.log(JSON.stringify(ports));
  await text(process.stdin);
`;

test("processes that ask at the same time are given different ports, none of those that a system gives to anybody", async () => {
  const runtimes = [
    [process.execPath, "-e"],
    ["node", "--input-type=module", "-e"],
  ].flatMap((one) => [one, one]);
  const children = runtimes.map((words) => Bun.spawn([...words, asking], { stdin: "pipe", stdout: "pipe" }));
  const given = await Promise.all(
    children.map(async ({ stdout }) => {
      const { value } = await stdout.getReader().read();
      return JSON.parse(new TextDecoder().decode(value)) as number[];
    }),
  );
  const ports = given.flat();
  expect(new Set(ports).size).toBe(4 * 30);
  expect(ports.filter((port) => port < 11_000 || port >= 32_768)).toEqual([]);
  // What they hold does not keep them.
  for (const { stdin } of children) await stdin.end();
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
});
