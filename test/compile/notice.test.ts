import { expect, test } from "bun:test";
import { licenceTexts, noticeText } from "../../scripts/notice.ts";
import { launcher, runOdograph } from "../support/program.ts";
import { readRepository } from "../support/source-tree.ts";

const repository = await readRepository();
const notice = repository.get("NOTICE") ?? "";
const { dependencies } = JSON.parse(repository.get("package.json") ?? "") as { dependencies: Record<string, string> };

test("the NOTICE names every package in the program and in the page; `bun scripts/notice.ts` writes it anew", async () => {
  expect(notice).toBe(await noticeText());
});

test("the NOTICE names all that we depend on, with a licence", () => {
  for (const name of Object.keys(dependencies).filter((name) => name !== "bun")) {
    expect(notice).toMatch(new RegExp(`^${name}: \\S+\\n {2}Copyright`, "m"));
  }
  for (const name of ["Bun", "Natural Earth", "JavaScriptCore", "sqlite"]) expect(notice).toContain(name);
});

test("no package is named without a licence, also if it does not say it itself", async () => {
  const [, packages = ""] = /Packages from npm\n-+\n\n(.*?)\n\nBun\n/s.exec(notice) ?? [];
  const named = packages.split("\n").filter((line) => !line.startsWith(" "));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((line) => !/^\S+: \(?[A-Z0-9]/.test(line))).toEqual([]);
  expect(packages).toContain("@mapbox/jsonlint-lines-primitives: MIT\n  Copyright (C) 2012 Zachary Carter\n");
  const jsonlint = /^@mapbox\/jsonlint-lines-primitives\n\nMIT License\n\nCopyright \(C\) 2012 Zachary Carter\n/m;
  expect(await licenceTexts()).toMatch(jsonlint);
});

test("every package that a user installs says its licence, or we have looked for it", () => {
  const { packages } = JSON.parse(repository.get("package-lock.json") ?? "") as {
    packages: Record<string, { dev?: boolean; license?: string }>;
  };
  const unsaid = Object.entries(packages).filter(([path, { dev, license }]) => path !== "" && !dev && !license);
  const names = unsaid.map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(names).toEqual(["@mapbox/jsonlint-lines-primitives"]);
  for (const name of names) expect(notice).toContain(`${name}: MIT`);
});

test("the licences in full are of the packages themselves", async () => {
  const texts = await licenceTexts();
  expect(texts).toStartWith(notice);
  expect(texts).toContain("react, react-dom, scheduler\n\nMIT License");
  expect(texts).toContain("Apache License");
});

test("a clone prints the NOTICE and says where the licences are", async () => {
  const { code, stdout } = await runOdograph(["version", "--licences"], { program: launcher });
  expect(code).toBe(0);
  expect(stdout).toBe(`${notice}\nThe licence of each package is in its folder in node_modules.\n`);
});
