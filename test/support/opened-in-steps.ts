import { openDatabase } from "../../src/store/open.ts";
import { thingsConversion } from "./things.ts";

/** A program of its own that opens a store, converts a few things at a time, and is killed when it has reported so often. */
const [target = "", reports = ""] = process.argv.slice(2);
let left = Number(reports);
const observe = () => {
  if (--left === 0) process.kill(process.pid, "SIGKILL");
};
const conversions = [thingsConversion(7)];
const database = await openDatabase(JSON.parse(target), { create: false, observe, conversions });
await database.close();
