import { expect, test } from "bun:test";
import { filesUnder, importsOf, isModule, readRepository, type SourceTree } from "../support/source-tree.ts";

/** What can be read in one sitting. Files that grow past it have, in every project we looked at, become a heap. */
const maxLines = 400;

/** A noun and what can be done with it needs fewer. More means that the file is a drawer for whatever has no place. */
const maxValueExports = 12;

const declaration =
  /^export\s+(?:default\s+)?(?:abstract\s+|async\s+|declare\s+)*(const|let|function\*?|class|enum|interface|type)\s+(\w+)/gm;
const exportList = /^export\s+(type\s+)?\{([^}]*)\}/gm;

const repository = await readRepository();

interface Export {
  readonly name: string;
  readonly isValue: boolean;
}

function exportsOf(text: string): Export[] {
  const declared = [...text.matchAll(declaration)].map(([, kind = "", name = ""]) => ({
    name,
    isValue: kind !== "interface" && kind !== "type",
  }));
  const listed = [...text.matchAll(exportList)].flatMap(([, allTypes, list = ""]) =>
    list
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "")
      .map((item) => ({
        name: item.replace(/^type\s+/, "").replace(/^.*\sas\s+/, ""),
        isValue: allTypes === undefined && !item.startsWith("type "),
      })),
  );
  return [...declared, ...listed];
}

function longFiles(tree: SourceTree): string[] {
  return [...filesUnder(tree, "src", "test", "scripts", "bench", "client")].flatMap(([path, text]) => {
    const lines = text.split("\n").length - 1;
    return lines > maxLines && !/\.(?:json|br|dat)$/.test(path) ? [`${path} has ${lines} lines`] : [];
  });
}

function dumpingGrounds(tree: SourceTree): string[] {
  return [...filesUnder(tree, "src", "test", "scripts")].flatMap(([path, text]) => {
    const values = isModule(path) ? exportsOf(text).filter((found) => found.isValue).length : 0;
    return values > maxValueExports ? [`${path} exports ${values} values`] : [];
  });
}

/** Values only: a type may be exported so that a function's arguments and results can be named. */
function unusedExports(tree: SourceTree): string[] {
  const used = new Set<string>();
  for (const [from, text] of tree) {
    for (const { path, names } of importsOf(from, text)) {
      if (names === null) used.add(`${path} *`);
      for (const name of names ?? []) used.add(`${path} ${name}`);
    }
  }
  return [...filesUnder(tree, "src", "test")].flatMap(([path, text]) => {
    if (!isModule(path) || path.endsWith(".d.ts") || path.endsWith(".d.mts") || used.has(`${path} *`)) return [];
    return exportsOf(text)
      .filter(({ name, isValue }) => isValue && !used.has(`${path} ${name}`))
      .map(({ name }) => `${path} exports ${name}`);
  });
}

/** What each family of trackers has under the same name, since it is the same. */
const ofEachFamily: readonly string[] = ["cut", "decode", "maxMessageBytes", "readMessage"];

/** The texts of the page are the same in each language. */
function sharedNames(tree: SourceTree): string[] {
  const declared = [...filesUnder(tree, "src")].flatMap(([path, text]) => {
    if (!isModule(path) || path.startsWith("src/portal/both-sides/texts/")) return [];
    const names = new Set([...text.matchAll(declaration)].map(([, , name = ""]) => name));
    const isFamily = path.startsWith("src/intake/trackers/");
    return [...names].flatMap((name) => (isFamily && ofEachFamily.includes(name) ? [] : [{ name, path }]));
  });
  return [...Map.groupBy(declared, ({ name }) => name)].flatMap(([name, all]) =>
    all.length > 1 ? [`${name}: ${all.map(({ path }) => path).join(", ")}`] : [],
  );
}

function narrowedTests(tree: SourceTree): string[] {
  const narrowing = /\b(?:test|it|describe)\.(?:only|skip|todo)\b/;
  return [...filesUnder(tree, "test", "client")].flatMap(([path, text]) => {
    const found = narrowing.exec(text);
    return found ? [`${path} has ${found[0]}`] : [];
  });
}

test("no file is longer than can be read in one sitting", () => {
  expect(longFiles(new Map([["src/api/all.ts", "\n".repeat(401)]]))).toEqual(["src/api/all.ts has 401 lines"]);
  expect(longFiles(repository)).toEqual([]);
});

test("no file is a drawer for whatever has no place", () => {
  const values = Array.from({ length: 13 }, (_, index) => `export const value${index} = ${index};\n`).join("");
  const types = values.replaceAll("const", "type");
  expect(
    dumpingGrounds(
      new Map([
        ["src/api/utils.ts", values],
        ["src/api/types.ts", types],
      ]),
    ),
  ).toEqual(["src/api/utils.ts exports 13 values"]);
  expect(dumpingGrounds(repository)).toEqual([]);
});

test("every exported value is imported somewhere", () => {
  const bad = new Map([
    [
      "src/a.ts",
      "export async function used() {}\nexport interface Contract {}\nexport class Unused {}\nconst other = 1;\nexport { other as b };",
    ],
    ["src/b.ts", 'import { used as mine } from "./a.ts";\nimport * as all from "./c.ts";'],
    ["src/c.ts", "export const inNamespace = 1;"],
  ]);
  expect(unusedExports(bad)).toEqual(["src/a.ts exports Unused", "src/a.ts exports b"]);
  expect(unusedExports(repository)).toEqual([]);
});

test("what is exported has a name of its own, so that a search finds one thing", () => {
  const bad = new Map([
    ["src/a.ts", "export interface Place {}\nexport const load = 1;\nconst own = 1;"],
    ["src/b.ts", 'export type Place = string;\nconst own = 2;\nexport { load } from "./a.ts";'],
    ["src/intake/trackers/one/framer.ts", "export function cut() {}"],
    ["src/intake/trackers/two/framer.ts", "export function cut() {}"],
  ]);
  expect(sharedNames(bad)).toEqual(["Place: src/a.ts, src/b.ts"]);
  expect(sharedNames(repository)).toEqual([]);
});

test("every test runs", () => {
  const narrowed = ["test", "only"].join(".");
  expect(narrowedTests(new Map([["test/a.test.ts", `${narrowed}("this one", () => {});`]]))).toEqual([
    `test/a.test.ts has ${narrowed}`,
  ]);
  expect(narrowedTests(repository)).toEqual([]);
});
