// Makes one file of the program, the portal's page, the licences and Bun. `npm run compile` runs it; so does the test.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildScript, scriptName } from "../src/api/reference/script.ts";
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
  await Bun.write(join(scratch, scriptName), await buildScript());
  await mkdir(dirname(outfile), { recursive: true });
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
      assets: [join(scratch, embeddedFolder), join(scratch, licencesName), join(scratch, scriptName)],
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

async function writePortal(folder: string): Promise<void> {
  const files = await buildPortal();
  for (const { name, bytes } of files) await Bun.write(join(folder, name), bytes);
  const contentTypes = Object.fromEntries(files.map(({ name, contentType }) => [name, contentType]));
  await Bun.write(join(folder, manifestName), JSON.stringify(contentTypes));
}
