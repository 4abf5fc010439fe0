import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { rounds } from "../support/rounds.ts";
import { goProgram, javaProgram, pythonProgram, typescriptPrograms } from "./list-programs.ts";
import { runIn } from "./run-in.ts";

/** A generator that is no package of ours, in the version that docs/clients.md names. */
export interface DownloadedGenerator {
  readonly name: string;
  readonly version: string;
  /** A program that must be on the machine, and the arguments with which it says its version. */
  readonly needs: readonly string[];
  /** Gets it into a folder that stays. It may take minutes. */
  download(folder: string): Promise<void>;
  /** Generates a client, and compiles a program that calls every list. Returns the command that runs it. */
  build(tools: { readonly folder: string; readonly description: string; readonly workshop: string }): Promise<string[]>;
}

const goVersion = "2.8.2";
const runtimeVersion = "1.8.0";
const python = "python3";

const oapiCodegen: DownloadedGenerator = {
  name: "oapi-codegen",
  version: goVersion,
  needs: ["go", "version"],
  async download(folder) {
    const env = { GOBIN: folder };
    await runIn(
      folder,
      ["go", "install", `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${goVersion}`],
      env,
    );
    // What the generated code needs, with the sums of all of it.
    const module = join(folder, "module");
    await mkdir(module, { recursive: true });
    await writeFile(join(module, "go.mod"), "module odograph.test/clients\n\ngo 1.24\n");
    await writeFile(
      join(module, "any.go"),
      'package main\n\nimport _ "github.com/oapi-codegen/runtime/types"\nimport _ "github.com/oapi-codegen/runtime"\n\nfunc main() {}\n',
    );
    await runIn(module, ["go", "get", `github.com/oapi-codegen/runtime@v${runtimeVersion}`]);
    await runIn(module, ["go", "mod", "tidy"]);
    await runIn(module, ["go", "build", "-o", "any", "."]);
  },
  async build({ folder, description, workshop }) {
    for (const file of ["go.mod", "go.sum"]) await cp(join(folder, "module", file), join(workshop, file));
    await mkdir(join(workshop, "api"));
    const generate = ["-generate", "types,client", "-package", "api", "-o", "api/api.go", description];
    await runIn(workshop, [join(folder, "oapi-codegen"), ...generate]);
    await writeFile(join(workshop, "main.go"), goProgram());
    await runIn(workshop, ["go", "build", "-o", "lists", "."]);
    return [join(workshop, "lists")];
  },
};

const openApiPythonClient: DownloadedGenerator = {
  name: "openapi-python-client",
  version: "0.29.1",
  needs: [python, "-c", "import sys, venv; assert sys.version_info >= (3, 10)"],
  async download(folder) {
    await runIn(folder, [python, "-m", "venv", "."]);
    await runIn(folder, ["bin/pip", "install", "--quiet", `openapi-python-client==${openApiPythonClient.version}`]);
  },
  async build({ folder, description, workshop }) {
    const generate = ["generate", "--path", description, "--meta", "none", "--output-path", "odograph_api"];
    // It tidies what it wrote with a program of its own folder.
    const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
    await runIn(workshop, [join(folder, "bin/openapi-python-client"), ...generate], env);
    await writeFile(join(workshop, "lists.py"), pythonProgram());
    await runIn(workshop, [join(folder, "bin/python"), "-m", "compileall", "-q", "."]);
    return [join(folder, "bin/python"), "lists.py"];
  },
};

const jackson = "2.21.6";
/** What its client for Java is made of, from Maven Central. */
const jars = [
  `com/fasterxml/jackson/core/jackson-core/${jackson}/jackson-core-${jackson}.jar`,
  `com/fasterxml/jackson/core/jackson-databind/${jackson}/jackson-databind-${jackson}.jar`,
  "com/fasterxml/jackson/core/jackson-annotations/2.21/jackson-annotations-2.21.jar",
  `com/fasterxml/jackson/datatype/jackson-datatype-jsr310/${jackson}/jackson-datatype-jsr310-${jackson}.jar`,
  "jakarta/annotation/jakarta.annotation-api/2.1.1/jakarta.annotation-api-2.1.1.jar",
];
const javaOptions = "containerDefaultToNull=true,openApiNullable=false,useJakartaEe=true,hideGenerationTimestamp=true";

const openApiGenerator: DownloadedGenerator = {
  name: "openapi-generator",
  version: "7.26.0",
  needs: ["javac", "-version"],
  async download(folder) {
    await runIn(folder, [python, "-m", "venv", "."]);
    await runIn(folder, ["bin/pip", "install", "--quiet", `openapi-generator-cli==${openApiGenerator.version}`]);
    await mkdir(join(folder, "jars"));
    for (const jar of jars)
      await runIn(join(folder, "jars"), ["curl", "-sSfO", `https://repo1.maven.org/maven2/${jar}`]);
  },
  async build({ folder, description, workshop }) {
    const generate = ["generate", "-g", "java", "--library", "native", "-i", description, "-o", "."];
    await runIn(workshop, [
      join(folder, "bin/openapi-generator-cli"),
      ...generate,
      "--additional-properties",
      javaOptions,
    ]);
    await writeFile(join(workshop, "Lists.java"), javaProgram());
    const path = join(folder, "jars/*");
    const sources = ["-sourcepath", "src/main/java", "Lists.java"];
    await runIn(workshop, ["javac", "-nowarn", "-d", "classes", "-cp", path, ...sources]);
    return ["java", "-cp", `classes:${path}`, "Lists"];
  },
};

const compilerOptions = {
  ...{ target: "esnext", module: "preserve", lib: ["esnext", "dom", "dom.iterable"], types: [] },
  ...{ strict: true, skipLibCheck: true, noEmit: true, allowImportingTsExtensions: true },
};

type TypescriptName = Exclude<keyof typeof typescriptPrograms, "oazapfts" | "openapi-typescript">;

/** Of npm. `generate`: its command, which writes into the folder `generated`. */
function ofNpm(
  name: TypescriptName,
  version: string,
  generate: (description: string) => string[],
): DownloadedGenerator {
  return {
    name,
    version,
    needs: ["npm", "--version"],
    async download(folder) {
      await writeFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
      const packages = [`${name}@${version}`, "typescript@5.9.3"];
      await runIn(folder, ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", ...packages]);
    },
    async build({ folder, description, workshop }) {
      await symlink(join(folder, "node_modules"), join(workshop, "node_modules"));
      await writeFile(join(workshop, "package.json"), '{"private":true,"type":"module"}');
      const [command = "", ...rest] = generate(description);
      await runIn(workshop, [join(folder, "node_modules/.bin", command), ...rest]);
      await writeFile(join(workshop, "lists.ts"), typescriptPrograms[name]());
      await writeFile(join(workshop, "globals.d.ts"), "declare const process: { argv: string[] };\n");
      await writeFile(
        join(workshop, "tsconfig.json"),
        JSON.stringify({ compilerOptions, files: ["lists.ts", "globals.d.ts"] }),
      );
      await runIn(workshop, [join(folder, "node_modules/.bin/tsc"), "-p", "."]);
      return [process.execPath, "lists.ts"];
    },
  };
}

export const downloadedGenerators: readonly DownloadedGenerator[] = [
  oapiCodegen,
  openApiPythonClient,
  openApiGenerator,
  ofNpm("@hey-api/openapi-ts", "0.99.0", (file) => [
    "openapi-ts",
    "-i",
    file,
    "-o",
    "generated",
    "-c",
    "@hey-api/client-fetch",
  ]),
  ofNpm("swagger-typescript-api", "13.13.0", (file) => [
    "swagger-typescript-api",
    "generate",
    "-p",
    file,
    "-o",
    "generated",
    "-n",
    "odograph.ts",
  ]),
];

/** Where generators stay from run to run, outside of the repository. */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "odograph-test-generators");

/** A tool that is downloaded once. */
export type DownloadedTool = Pick<DownloadedGenerator, "name" | "version" | "needs" | "download">;

/**
 * The folder of a generator, or why it cannot be used. Only a long run uses them: generating and compiling
 * takes half a minute, and downloading them once some minutes.
 */
export async function folderOf(generator: DownloadedGenerator): Promise<{ folder?: string; why?: string }> {
  if (rounds(0, 1) === 0) return { why: "only a run with `ODOGRAPH_TEST_ROUNDS=long` does that" };
  return folderOfTool(generator);
}

/** The folder of a tool, or why it cannot be had here. */
export async function folderOfTool({
  name,
  version,
  needs,
  download,
}: DownloadedTool): Promise<{ folder?: string; why?: string }> {
  const folder = join(cache, `${name.replaceAll(/\W+/g, "-")}-${version}`);
  const done = join(folder, "downloaded");
  try {
    await runIn(".", needs);
  } catch {
    return { why: `${needs[0]} is not on this machine` };
  }
  if (await Bun.file(done).exists()) return { folder };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    await download(folder);
  } catch (error) {
    return { why: `it could not be downloaded: ${error instanceof Error ? error.message : error}` };
  }
  await writeFile(done, "");
  return { folder };
}
