// Writes the portal's files to ./portal-files, to be put into a compiled program: bun build --compile --asset portal-files …
import { mkdir, rm } from "node:fs/promises";
import { buildPortal } from "../src/portal/bundle.ts";
import { embeddedFolder, manifestName } from "../src/portal/embedded-files.ts";

const files = await buildPortal();
await rm(embeddedFolder, { recursive: true, force: true });
await mkdir(embeddedFolder);
for (const { name, bytes } of files) await Bun.write(`${embeddedFolder}/${name}`, bytes);
const contentTypes = Object.fromEntries(files.map(({ name, contentType }) => [name, contentType]));
await Bun.write(`${embeddedFolder}/${manifestName}`, JSON.stringify(contentTypes));
