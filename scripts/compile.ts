// Makes one file of the program, the portal's page, the licences and Bun. `npm run compile` runs it; so does the test.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { guideFolder, readDocuments, readGuideFile } from "../src/api/guide/documents.ts";
import { imagesOf } from "../src/api/guide/site.ts";
import { buildScript, scriptFile, scriptNames } from "../src/api/page-scripts.ts";
import { licencesName } from "../src/cli/licences.ts";
import { buildPortal } from "../src/portal/bundle.ts";
import { embeddedFolder, manifestName } from "../src/portal/embedded-files.ts";
import { compiledEntries } from "./bundled-packages.ts";
import { licenceTexts } from "./notice.ts";

const outfile = resolve(process.argv[2] ?? "dist/odograph");
const scratch = await mkdtemp(join(tmpdir(), "odograph-compile-"));
try {
  await writePortal(join(scratch, embeddedFolder));
  await Bun.write(join(scratch, licencesName), await licenceTexts());
  for (const page of scriptNames) await Bun.write(join(scratch, scriptFile(page)), await buildScript(page));
  await writeGuide(join(scratch, guideFolder));
  await mkdir(dirname(outfile), { recursive: true });
  // In parts, so that a command loads what it needs: `version` takes 0.03 s of a processor instead of 0.16. Minified it
  // would save 1 of 114 MB and lose the names in a stack trace; bytecode would save another 0.02 s and cost 6 MB.
  await Bun.build({
    entrypoints: compiledEntries,
    target: "bun",
    splitting: true,
    compile: {
      outfile,
      assets: [embeddedFolder, guideFolder, licencesName, ...scriptNames.map(scriptFile)].map((name) =>
        join(scratch, name),
      ),
      // Files in the working directory belong to some other program, as in bin/odograph.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
} finally {
  await rm(scratch, { recursive: true, force: true });
}
console.log(`${outfile} (${(Bun.file(outfile).size / 1e6).toFixed(0)} MB)`);

async function writeGuide(folder: string): Promise<void> {
  const documents = await readDocuments();
  for (const path of [...documents.keys(), ...imagesOf(documents)]) {
    const bytes = await readGuideFile(path);
    if (!bytes) throw new Error(`the documents show ${path}, which is not there`);
    await Bun.write(join(folder, path), bytes);
  }
}

async function writePortal(folder: string): Promise<void> {
  const files = await buildPortal();
  for (const { name, bytes } of files) await Bun.write(join(folder, name), bytes);
  const contentTypes = Object.fromEntries(files.map(({ name, contentType }) => [name, contentType]));
  await Bun.write(join(folder, manifestName), JSON.stringify(contentTypes));
}
