import { expect, test } from "bun:test";
import {
  filesUnder,
  type Import,
  importsOf,
  isModule,
  readRepository,
  type SourceTree,
} from "../support/source-tree.ts";

/** A file may import from its own folder and from those before it. */
const layers = [
  "domain",
  "observe",
  "store",
  "access",
  "fleet",
  "derive",
  "http",
  "intake",
  "api",
  "portal",
  "simulator",
  "cli",
] as const;

/** Within the API the same holds of these. What stands beside them may import from all, and be imported by all. */
const foldersOfApi = ["records", "cache", "input", "formats", "lists", "routes"] as const;

/** What server and page of the portal share; and the page, of which the server only has its first file bundled. */
const bothSides = "src/portal/both-sides/";
const page = "src/portal/page/";
const bundler = "src/portal/bundle.ts";

const entry = "src/cli/main.ts";
const repository = await readRepository();

function layerOf(path: string): number {
  return layers.findIndex((layer) => path.startsWith(`src/${layer}/`));
}

function folderOfApi(path: string): number {
  return foldersOfApi.findIndex((folder) => path.startsWith(`src/api/${folder}/`));
}

function edges(tree: SourceTree): [string, Import][] {
  return [...tree].flatMap(([path, text]) => importsOf(path, text).map((found): [string, Import] => [path, found]));
}

function strayFiles(tree: SourceTree): string[] {
  // Declarations of types for the whole program belong to no layer.
  return [...filesUnder(tree, "src").keys()].filter((path) => layerOf(path) < 0 && !/^src\/[^/]+\.d\.ts$/.test(path));
}

function wrongDirections(tree: SourceTree): string[] {
  return edges(filesUnder(tree, "src")).flatMap(([from, { path, specifier }]) => {
    if (path === null) return [];
    const isOutside = !path.startsWith("src/") && path !== "package.json" && !isRecordType(from, path);
    return isOutside || layerOf(path) > layerOf(from) ? [`${from} imports ${specifier}`] : [];
  });
}

/** The page reads the API like any other client, so the contract takes the types of its records from there. */
function isRecordType(from: string, path: string): boolean {
  return from.startsWith(`${bothSides}contract/`) && path.startsWith("client/src/types/");
}

function wrongDirectionsInApi(tree: SourceTree): string[] {
  return edges(filesUnder(tree, "src/api")).flatMap(([from, { path, specifier }]) => {
    const isWrong = path !== null && folderOfApi(from) >= 0 && folderOfApi(path) > folderOfApi(from);
    return isWrong ? [`${from} imports ${specifier}`] : [];
  });
}

/** The server imports nothing of the page, the page nothing of the server, and what both share neither. */
function acrossTheWire(tree: SourceTree): string[] {
  const sideOf = (path: string) => [bothSides, page, "src/portal/"].find((folder) => path.startsWith(folder)) ?? null;
  return edges(filesUnder(tree, "src")).flatMap(([from, { path, specifier }]) => {
    const [of, to] = [sideOf(from), path === null ? null : sideOf(path)];
    const isBundled = from === bundler && path === `${page}index.html`;
    const isWrong = to !== null && to !== of && to !== bothSides && !isBundled && (of !== null || to === page);
    return isWrong ? [`${from} imports ${specifier}`] : [];
  });
}

function impureDomain(tree: SourceTree): string[] {
  const domain = filesUnder(tree, "src/domain");
  const packages = edges(domain)
    .filter(([, { path }]) => path === null)
    .map(([from, { specifier }]) => `${from} imports ${specifier}`);
  const outsideWorld = /\b(?:Date\.now|new Date\(\)|performance\.now|Math\.random|process\.|Bun\.|console\.|fetch\()/;
  const mentions = [...domain].flatMap(([path, text]) => {
    const found = outsideWorld.exec(withoutComments(text));
    return found ? [`${path} uses ${found[0]}`] : [];
  });
  return [...packages, ...mentions];
}

function databasesOutsideStore(tree: SourceTree): string[] {
  return [...filesUnder(tree, "src")].flatMap(([path, text]) => {
    if (path.startsWith("src/store/")) return [];
    const isDriver = importsOf(path, text).some(
      ({ specifier, names }) =>
        specifier === "bun:sqlite" || (specifier === "bun" && (names === null || /\bsql\b/i.test(names.join(" ")))),
    );
    return isDriver || /\bBun\.sql\b/i.test(withoutComments(text)) ? [path] : [];
  });
}

/** What is sent while it is made has a place among the open streams; a late body is whole before it is sent. */
const streamMakers = ["src/api/cache/open-streams.ts", "src/http/late-body.ts"];

function streamsBesideGate(tree: SourceTree): string[] {
  return [...filesUnder(tree, "src")].flatMap(([path, text]) => {
    if (streamMakers.includes(path) || path.startsWith(page)) return [];
    const own = /\bnew (?:ReadableStream|TransformStream)\b|\bReadableStream\.from\b/.test(withoutComments(text));
    const ofFileOrGenerator = /\bnew Response\(\s*(?:Bun\.file|async function\*|\{\s*(?:async )?\*?\s*\[Symbol)/.test(
      text,
    );
    return own || ofFileOrGenerator ? [path] : [];
  });
}

function cycles(tree: SourceTree): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string) => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    trail.push(path);
    for (const next of importsOf(path, tree.get(path) ?? "")) if (next.path !== null) visit(next.path);
    trail.pop();
    done.add(path);
  };
  for (const path of tree.keys()) visit(path);
  return found;
}

function unreachableFiles(tree: SourceTree): string[] {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const found of importsOf(path, tree.get(path) ?? "")) if (found.path !== null) waiting.push(found.path);
  }
  return [...filesUnder(tree, "src").keys()].filter((path) => !reached.has(path) && !/\.(?:d\.ts|md)$/.test(path));
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
}

test("every file in src belongs to a layer", () => {
  expect(
    strayFiles(
      new Map([
        ["src/helpers/misc.ts", ""],
        ["src/misc.ts", ""],
        ["src/sql.d.ts", ""],
      ]),
    ),
  ).toEqual(["src/helpers/misc.ts", "src/misc.ts"]);
  expect(strayFiles(repository)).toEqual([]);
});

test("imports point from a later layer to an earlier one", () => {
  const bad = new Map([
    ["src/store/a.ts", 'import type { B } from "../api/b.ts";'],
    ["src/api/b.ts", 'import { a } from "../store/a.ts";'],
    ["src/cli/c.ts", 'import {\n  d,\n} from "../../test/d.ts";'],
    ["src/portal/both-sides/contract/e.ts", 'export type { Trip } from "../../../../client/src/types/index.ts";'],
  ]);
  expect(wrongDirections(bad)).toEqual(["src/store/a.ts imports ../api/b.ts", "src/cli/c.ts imports ../../test/d.ts"]);
  expect(wrongDirections(repository)).toEqual([]);
});

test("within the API, imports point from a later folder to an earlier one", () => {
  const bad = new Map([
    ["src/api/input/a.ts", 'import { b } from "../lists/b.ts";'],
    ["src/api/lists/b.ts", 'import type { C } from "../route.ts";'],
    ["src/api/route.ts", 'import type { A } from "./input/a.ts";'],
  ]);
  expect(wrongDirectionsInApi(bad)).toEqual(["src/api/input/a.ts imports ../lists/b.ts"]);
  expect(wrongDirectionsInApi(repository)).toEqual([]);
});

test("server and page share what lies beside them, and nothing else", () => {
  const bad = new Map([
    ["src/portal/routes/a.ts", 'import { b } from "../page/b.ts";\nimport type { C } from "../both-sides/c.ts";'],
    ["src/portal/page/b.ts", 'import type { A } from "../routes/a.ts";\nimport { c } from "../both-sides/c.ts";'],
    ["src/portal/both-sides/c.ts", 'import { b } from "../page/b.ts";\nimport { a } from "../routes/a.ts";'],
    ["src/portal/bundle.ts", 'new URL("./page/index.html", import.meta.url);\nimport { b } from "./page/b.ts";'],
    ["src/cli/d.ts", 'import { b } from "../portal/page/b.ts";\nimport { a } from "../portal/routes/a.ts";'],
  ]);
  expect(acrossTheWire(bad)).toEqual([
    "src/portal/routes/a.ts imports ../page/b.ts",
    "src/portal/page/b.ts imports ../routes/a.ts",
    "src/portal/both-sides/c.ts imports ../page/b.ts",
    "src/portal/both-sides/c.ts imports ../routes/a.ts",
    "src/portal/bundle.ts imports ./page/b.ts",
    "src/cli/d.ts imports ../portal/page/b.ts",
  ]);
  expect(acrossTheWire(repository)).toEqual([]);
});

test("the domain uses no package, no clock and nothing outside of its arguments", () => {
  const bad = new Map([
    ["src/domain/a.ts", 'import { z } from "zod";\n// Date.now() is not asked here\n'],
    ["src/domain/b.ts", "export const now = () => Date.now();"],
  ]);
  expect(impureDomain(bad)).toEqual(["src/domain/a.ts imports zod", "src/domain/b.ts uses Date.now"]);
  expect(impureDomain(repository)).toEqual([]);
});

test("only the store speaks to a database", () => {
  const bad = new Map([
    ["src/api/a.ts", 'import { Database } from "bun:sqlite";'],
    ["src/api/b.ts", 'import { type Server, SQL } from "bun";'],
    ["src/api/c.ts", "const rows = await Bun.sql`select 1`;"],
    ["src/store/d.ts", 'import { SQL } from "bun";'],
    ["src/api/e.ts", 'import type { Server } from "bun";'],
  ]);
  expect(databasesOutsideStore(bad)).toEqual(["src/api/a.ts", "src/api/b.ts", "src/api/c.ts"]);
  expect(databasesOutsideStore(repository)).toEqual([]);
});

test("only the gate of long answers begins a stream", () => {
  const bad = new Map([
    ["src/portal/a.ts", "return new Response(new ReadableStream({ pull }));"],
    ["src/api/b.ts", "return new Response(ReadableStream.from(rows));"],
    ["src/api/c.ts", "return new Response(Bun.file(path));"],
    ["src/api/d.ts", "// new ReadableStream\nif (body instanceof ReadableStream) return new Response(body);"],
    ["src/portal/page/e.ts", "new ReadableStream({ pull });"],
  ]);
  expect(streamsBesideGate(bad)).toEqual(["src/portal/a.ts", "src/api/b.ts", "src/api/c.ts"]);
  expect(streamsBesideGate(repository)).toEqual([]);
});

test("no file imports itself by way of others, not even for types", () => {
  const bad = new Map([
    ["src/a.ts", 'import { b } from "./b.ts";'],
    ["src/b.ts", 'export type { C } from "./c.ts";'],
    ["src/c.ts", 'import type { A } from "./a.ts";'],
  ]);
  expect(cycles(bad)).toEqual(["src/a.ts → src/b.ts → src/c.ts → src/a.ts"]);
  expect(cycles(new Map([...repository].filter(([path]) => isModule(path))))).toEqual([]);
});

test("every file in src is part of the program", () => {
  const bad = new Map([
    [entry, 'import text from "./used.sql" with { type: "text" };\nconst page = await import("./page.html");'],
    ["src/cli/used.sql", ""],
    ["src/cli/page.html", '<script type="module" src="./app.tsx"></script>'],
    ["src/cli/app.tsx", 'new Worker(new URL("./worker.ts", import.meta.url));'],
    ["src/cli/worker.ts", ""],
    ["src/cli/dead.ts", 'import "./dead-too.ts";'],
    ["src/cli/dead-too.ts", ""],
  ]);
  expect(unreachableFiles(bad)).toEqual(["src/cli/dead.ts", "src/cli/dead-too.ts"]);
  expect(unreachableFiles(repository)).toEqual([]);
});
