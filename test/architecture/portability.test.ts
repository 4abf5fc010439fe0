import { expect, test } from "bun:test";
import { readRepository, type SourceTree } from "../support/source-tree.ts";

// Packages come from whichever registry a machine is set up for, and nothing may depend on where the repository lies.
const registry = /\bregistry\.(?:npmjs|yarnpkg|npmmirror)\.|\b_authToken\b|\/artifactory\//;
const homeOrWorkPath = /(?<![\w.~-])\/(?:home|Users|root|work)\/[\w.-]+/;

const repository = await readRepository();

function machineTraces(tree: SourceTree, ownRegistry: string | undefined): string[] {
  const ownHost = ownRegistry === undefined ? null : new URL(ownRegistry).host;
  return [...tree].flatMap(([path, text]) => {
    const found = registry.exec(text) ?? homeOrWorkPath.exec(text);
    const trace = found?.[0] ?? (ownHost !== null && text.includes(ownHost) ? ownHost : null);
    return trace === null ? [] : [`${path} mentions ${trace}`];
  });
}

function lockedAddresses(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    path.endsWith("package-lock.json") && text.includes('"resolved":') ? [path] : [],
  );
}

test("no file knows the machine or the registry it was made with", () => {
  const folder = ["", "home", "ada", "odograph"].join("/");
  const host = ["registry", "npmjs", "org"].join(".");
  const bad = new Map([
    ["docs/a.md", `cd ${folder}`],
    [".npmrc", `//${host}/:always-auth=true`],
    ["b.md", "from npm.internal.example"],
    ["c.md", "GET /v1/home/1, ./home/x and example.com/root/y are none"],
  ]);
  expect(machineTraces(bad, "https://npm.internal.example/all/")).toEqual([
    `docs/a.md mentions ${folder.split("/", 3).join("/")}`,
    `.npmrc mentions ${["registry", "npmjs", ""].join(".")}`,
    "b.md mentions npm.internal.example",
  ]);
  expect(machineTraces(repository, process.env.npm_config_registry)).toEqual([]);
});

test("the lockfile holds no address", () => {
  expect(lockedAddresses(new Map([["client/package-lock.json", '{ "resolved": "https://x/y.tgz" }']]))).toEqual([
    "client/package-lock.json",
  ]);
  expect(lockedAddresses(repository)).toEqual([]);
});

test("the lockfile knows the content of every package", () => {
  const lock = JSON.parse(repository.get("package-lock.json") ?? "");
  const packages = Object.entries(lock.packages as Record<string, { integrity?: string }>);
  expect(packages.filter(([path, { integrity }]) => path !== "" && !integrity).map(([path]) => path)).toEqual([]);
});

test("no package that runs the program asks for a newer Node than we do", () => {
  const { packages } = JSON.parse(repository.get("package-lock.json") ?? "") as {
    packages: Record<string, { dev?: boolean; version: string; engines?: { node?: string } }>;
  };
  const oldest = packages[""]?.engines?.node?.replace(">=", "") ?? "";
  expect(oldest).toMatch(/^\d+\.\d+$/);
  expect(["^18.19.0 || >=20.6.0", ">= 0.6", ">=20"].map((range) => Bun.semver.satisfies(`${oldest}.0`, range))).toEqual(
    [true, true, true],
  );
  const refused = Object.entries(packages).filter(
    ([, { dev, engines }]) => !dev && engines?.node && !Bun.semver.satisfies(`${oldest}.0`, engines.node),
  );
  expect(refused.map(([path, { engines }]) => `${path} needs Node ${engines?.node}`)).toEqual([]);
});
