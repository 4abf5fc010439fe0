import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";
import { anchorOf } from "../../src/api/guide/markdown.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { settingsTable } from "../../src/cli/settings/settings-table.ts";
import { runOdograph } from "../support/program.ts";
import { filesUnder, readRepository, type SourceTree } from "../support/source-tree.ts";

/** Where a reader starts. */
const entrances = ["README.md", "ARCHITECTURE.md"];

const repository = await readRepository();
const commands = await allCommands();
const names = commands.map((command) => command.name);

/** Links to other files and to headings, as `path#heading`. */
function targetsIn(path: string, text: string): string[] {
  const withoutCode = text.replace(/```.*?```/gs, "").replace(/`[^`\n]*`/g, "");
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith("#") ? `${path}${target}` : normalize(join(dirname(path), target))));
}

function linksIn(path: string, text: string): string[] {
  return targetsIn(path, text).map((target) => target.replace(/#.*/, "").replace(/\/$/, ""));
}

/** What a page's headings are called in links. */
function anchorsIn(text: string): string[] {
  return [...text.replace(/```.*?```/gs, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

function brokenAnchors(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) => {
    if (!path.endsWith(".md")) return [];
    return targetsIn(path, text).flatMap((target) => {
      const [file = "", anchor] = target.split("#");
      const isThere = anchor === undefined || anchorsIn(tree.get(file) ?? "").includes(anchor);
      return isThere ? [] : [`${path} links to ${target}`];
    });
  });
}

function unlinkedDocuments(tree: SourceTree): string[] {
  const reached = new Set<string>();
  const visit = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    if (path.endsWith(".md")) for (const link of linksIn(path, tree.get(path) ?? "")) visit(link);
    // A link to a folder is shown as its README.
    else if (tree.has(`${path}/README.md`)) visit(`${path}/README.md`);
  };
  for (const path of entrances) visit(path);
  return [...filesUnder(tree, "docs").keys()].filter((path) => !reached.has(path));
}

function brokenLinks(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) => {
    if (!path.endsWith(".md")) return [];
    const isThere = (link: string) => tree.has(link) || filesUnder(tree, link).size > 0;
    return linksIn(path, text).flatMap((link) => (isThere(link) ? [] : [`${path} links to ${link}`]));
  });
}

function commandsWithoutHelp(known: readonly string[], help: string): string[] {
  return known.filter((name) => !new RegExp(`^ +(?:odograph )?${name}(?: |$)`, "m").test(help));
}

test("every document can be reached by links from where a reader starts", () => {
  const bad = new Map([
    ["README.md", "[guide](docs/guide.md#start), [decisions](docs/decisions/)"],
    ["docs/guide.md", "`[not](lost.md)`"],
    ["docs/lost.md", ""],
    ["docs/decisions/README.md", "[1](0001.md)"],
    ["docs/decisions/0001.md", ""],
  ]);
  expect(unlinkedDocuments(bad)).toEqual(["docs/lost.md"]);
  expect(unlinkedDocuments(repository)).toEqual([]);
});

test("no link between documents is broken", () => {
  const bad = new Map([["docs/a.md", "[there](../README.md) [gone](gone.md) [outside](https://example.com/x.md)"]]);
  expect(brokenLinks(bad)).toEqual(["docs/a.md links to README.md", "docs/a.md links to docs/gone.md"]);
  expect(brokenLinks(repository)).toEqual([]);
});

test("no link leads to a heading that is not there", () => {
  const bad = new Map([
    ["docs/a.md", "# A `b`, c\n[here](#a-b-c) [gone](#a) [there](../README.md#next-steps) [not](../README.md#x)"],
    ["README.md", "## Next steps"],
  ]);
  expect(brokenAnchors(bad)).toEqual(["docs/a.md links to docs/a.md#a", "docs/a.md links to README.md#x"]);
  expect(brokenAnchors(repository)).toEqual([]);
});

test("every command is in the help", async () => {
  expect(commandsWithoutHelp(["load", "keys"], "Commands:\n  load FILE   reads a file of keys\n")).toEqual(["keys"]);
  const help = await runOdograph(["help"]);
  expect(help.code).toBe(0);
  expect(commandsWithoutHelp(names, help.stdout)).toEqual([]);
});

test("every variable that a document names is read by something", () => {
  const documents = [...repository].filter(([path]) => path.endsWith(".md"));
  const named = new Set(documents.flatMap(([, text]) => text.match(/\bODOGRAPH_[A-Z_]+\b/g) ?? []));
  const settings = Object.values(settingsTable).map(({ environment }) => environment);
  const texts = [...filesUnder(repository, "src", "test", "bin").values(), ...settings];
  expect([...named].filter((name) => !texts.some((text) => text.includes(name)))).toEqual([]);
  expect(named.size).toBeGreaterThan(5);
});
