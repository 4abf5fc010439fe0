import { openDatabase } from "../../src/store/open.ts";

/** A program of its own that opens a store, converts a few rows at a time, and is killed when it has reported so often. */
const [target = "", rowsPerStep = "", reports = ""] = process.argv.slice(2);
let left = Number(reports);
const observe = () => {
  if (--left === 0) process.kill(process.pid, "SIGKILL");
};
const database = await openDatabase(JSON.parse(target), { create: false, observe, rowsPerStep: Number(rowsPerStep) });
await database.close();
