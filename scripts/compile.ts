// Makes the one-file program for this system. `npm run compile` runs it; so does the test.
import { resolve } from "node:path";
import { makeOneFiles } from "./one-file.ts";

const outfile = resolve(process.argv[2] ?? "dist/odograph");
await makeOneFiles([{ outfile }], (made) => console.log(`${made} (${(Bun.file(made).size / 1e6).toFixed(0)} MB)`));
