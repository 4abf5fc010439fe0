import { expect, test } from "bun:test";
import { readRepository, type SourceTree } from "../support/source-tree.ts";

interface Package {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Programs of packages that may be named in a script. A package that is not installed cannot be. */
const programOf: Readonly<Record<string, string>> = { biome: "@biomejs/biome", tsc: "typescript" };

/** Quotes, variables, patterns, `&&` and `|` mean something else to each shell, and some mean nothing to that of Windows. */
const plainWord = /^[\w@./:=-]+$/;
const assignment = /^\w+=/;

const repository = await readRepository();

function packageFile(tree: SourceTree, path: string): Package {
  return JSON.parse(tree.get(path) ?? "{}");
}

function wordsForAShell(tree: SourceTree): string[] {
  const root = packageFile(tree, "package.json");
  const installed = { ...root.dependencies, ...root.devDependencies };
  const files = [...tree.keys()].filter((path) => path === "package.json" || path.endsWith("/package.json"));
  return files.flatMap((file) =>
    Object.entries(packageFile(tree, file).scripts ?? {}).flatMap(([name, script]) => {
      const [program = "", ...words] = script.split(" ");
      const isKnown = program === "node" || (programOf[program] ?? "") in installed;
      if (!isKnown || assignment.test(program)) return [`${file}: ${name} starts with ${program}`];
      const odd = words.find((word) => !plainWord.test(word));
      return odd === undefined ? [] : [`${file}: ${name} needs a shell for ${odd}`];
    }),
  );
}

test("no script of a package needs a shell: each is a program of ours and plain words", () => {
  const scripts = {
    start: "node scripts/start.mjs --port=0",
    format: "biome check --write",
    replaced: "exec node scripts/start.mjs",
    both: "tsc --noEmit && biome check",
    quoted: "node -e 'process.exit()'",
    variable: "node $HOME/x.mjs",
    pattern: "biome check src/*.ts",
    set: "CI=1 node x.mjs",
    missing: "rimraf dist",
  };
  const devDependencies = { "@biomejs/biome": "1.0.0", typescript: "1.0.0" };
  const bad = new Map([
    ["package.json", JSON.stringify({ scripts, devDependencies })],
    ["client/package.json", JSON.stringify({ scripts: { build: "sh build.sh" } })],
  ]);
  expect(wordsForAShell(bad)).toEqual([
    "package.json: replaced starts with exec",
    "package.json: both needs a shell for &&",
    "package.json: quoted needs a shell for 'process.exit()'",
    "package.json: variable needs a shell for $HOME/x.mjs",
    "package.json: pattern needs a shell for src/*.ts",
    "package.json: set starts with CI=1",
    "package.json: missing starts with rimraf",
    "client/package.json: build starts with sh",
  ]);
  expect(wordsForAShell(repository)).toEqual([]);
});

test("what npm links to is a program of Node, so that it can make one for Windows", () => {
  const { bin } = JSON.parse(repository.get("package.json") ?? "");
  for (const path of Object.values<string>(bin)) {
    expect(repository.get(path)?.split("\n")[0]).toBe("#!/usr/bin/env node");
  }
});
