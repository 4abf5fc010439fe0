import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const modules = fileOf("../../node_modules");

/**
 * Generators that anybody can get from npm, each with the name that the programs beside this file import its code by.
 * Each turns the description, a file of JSON, into a file of TypeScript.
 */
export const generators = {
  oazapfts: withOazapfts,
  "openapi-typescript": withOpenApiTypescript,
} as const satisfies Record<string, (description: string, outfile: string) => Promise<void>>;

async function withOazapfts(description: string, outfile: string): Promise<void> {
  const command = [process.execPath, `${modules}/oazapfts/dist/cli.js`, description, outfile];
  const child = Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const complaint = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`oazapfts failed: ${complaint}`);
}

async function withOpenApiTypescript(description: string, outfile: string): Promise<void> {
  lendTypescript5();
  const { default: generate, astToString } = await import("openapi-typescript");
  await Bun.write(outfile, astToString(await generate(await Bun.file(description).text())));
}

/** It writes its code with the API of TypeScript 5, which ours, version 7, has no more. Oazapfts brings one along. */
function lendTypescript5(): void {
  const typescript5 = createRequire(`${modules}/oazapfts/package.json`)("typescript");
  Bun.plugin({
    name: "typescript 5",
    setup(build) {
      build.module("typescript", () => ({ exports: { default: typescript5, ...typescript5 }, loader: "object" }));
    },
  });
}
