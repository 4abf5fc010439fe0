import { join } from "node:path";
import { programVersion } from "../version.ts";
import { buildPythonClient, buildTypescriptClient } from "./build.ts";

/** The folder that scripts/one-file.ts puts into the program. */
export const clientsFolder = "client-packages";

export const clientsPath = "/docs/clients";

interface ClientPackage {
  readonly name: string;
  readonly mediaType: string;
  readonly build: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** What customers install: of the version of this server. A test holds the clients' versions to the program's. */
export const clientPackages = {
  typescript: {
    name: `odograph-client-${programVersion}.tgz`,
    mediaType: "application/gzip",
    build: buildTypescriptClient,
  },
  python: {
    name: `odograph_client-${programVersion}-py3-none-any.whl`,
    mediaType: "application/zip",
    build: buildPythonClient,
  },
} as const satisfies Record<string, ClientPackage>;

/** From inside a compiled program, otherwise made from the sources. */
export function clientPackage({ name, build }: ClientPackage): Promise<Uint8Array<ArrayBuffer>> {
  return Bun.isStandaloneExecutable ? Bun.file(join(import.meta.dir, clientsFolder, name)).bytes() : build();
}
