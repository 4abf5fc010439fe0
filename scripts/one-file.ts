import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clientPackages, clientsFolder } from "../src/api/clients/packages.ts";
import { guideFolder, readDocuments, readGuideFile } from "../src/api/guide/documents.ts";
import { filesOf } from "../src/api/guide/site.ts";
import { buildScript, scriptFile, scriptNames } from "../src/api/page-scripts.ts";
import { licencesName } from "../src/cli/version.ts";
import { buildPortal, embeddedFolder, manifestName } from "../src/portal/bundle.ts";
import { compiledEntries } from "./bundled-packages.ts";
import { licenceTexts } from "./notice.ts";

// Makes one file of the program, the portal's page, the guide, the licences and Bun, for any system that Bun runs on. The same
// sources make the same bytes, wherever they lie: nothing here may depend on a path, the time or an order by chance.

const root = Bun.fileURLToPath(new URL("..", import.meta.url));

export interface OneFile {
  /** An absolute path. */
  readonly outfile: string;
  /** Another system, with its Bun. Without it: this system, with the Bun that runs this. */
  readonly other?: { readonly target: Bun.Build.CompileTarget; readonly executablePath: string };
}

/** Makes these programs, from one build of what they hold. */
export async function makeOneFiles(programs: readonly OneFile[], onMade: (outfile: string) => void): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "odograph-compile-"));
  // The bundler writes the paths of sources into the program, relative to the working directory.
  process.chdir(root);
  try {
    await writePortal(join(scratch, embeddedFolder));
    await Bun.write(join(scratch, licencesName), await licenceTexts());
    for (const page of scriptNames) await Bun.write(join(scratch, scriptFile(page)), await buildScript(page));
    await writeGuide(join(scratch, guideFolder));
    for (const { name, build } of Object.values(clientPackages))
      await Bun.write(join(scratch, clientsFolder, name), await build());
    for (const program of programs) {
      await mkdir(dirname(program.outfile), { recursive: true });
      await compile(program, scratch);
      onMade(program.outfile);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function compile({ outfile, other }: OneFile, scratch: string): Promise<void> {
  // In parts, so that a command loads what it needs: `version` takes 0.03 s of a processor instead of 0.16. Minified it
  // would save 1 of 114 MB and lose the names in a stack trace. With bytecode, which costs 10 MB, `serve` starts with half
  // of the processor's time: `npm test` starts programs a thousand times.
  const bytecode = process.env.ODOGRAPH_COMPILE_BYTECODE === "1";
  await Bun.build({
    entrypoints: compiledEntries,
    target: "bun",
    format: "esm",
    splitting: true,
    bytecode,
    compile: {
      outfile,
      ...other,
      assets: [embeddedFolder, guideFolder, clientsFolder, licencesName, ...scriptNames.map(scriptFile)].map((name) =>
        join(scratch, name),
      ),
      // Files in the working directory belong to some other program, as in bin/odograph.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  });
  await chmod(outfile, 0o755);
}

async function writeGuide(folder: string): Promise<void> {
  const documents = await readDocuments();
  for (const path of [...documents.keys(), ...filesOf(documents)].toSorted()) {
    const bytes = await readGuideFile(path);
    if (!bytes) throw new Error(`the documents name ${path}, which is not there`);
    await Bun.write(join(folder, path), bytes);
  }
}

async function writePortal(folder: string): Promise<void> {
  const files = await buildPortal();
  for (const { name, bytes } of files) await Bun.write(join(folder, name), bytes);
  // The bundler lists them in an order that changes from run to run.
  const contentTypes = files.map(({ name, contentType }): [string, string] => [name, contentType]).sort();
  await Bun.write(join(folder, manifestName), JSON.stringify(Object.fromEntries(contentTypes)));
}
