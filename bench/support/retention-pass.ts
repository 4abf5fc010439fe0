/** One pass of retention by another checkout: `bun retention-pass.ts ROOT TARGET BEFORE`. Prints its time and what it dropped. */
import { join } from "node:path";

const [root = "", target = "", before = ""] = process.argv.slice(2);
const { openDatabase } = await import(join(root, "src/store/open.ts"));
const { dropOldFrames } = await import(join(root, "src/derive/retention.ts"));
const database = await openDatabase(JSON.parse(target), { create: false });
// The first pass compiles the code.
await dropOldFrames(database, Number(before));
const began = performance.now();
const dropped = await dropOldFrames(database, Number(before));
console.log(JSON.stringify({ ms: performance.now() - began, dropped }));
await database.close();
