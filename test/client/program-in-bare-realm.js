// Runs a bundle of program.js where there is nothing but the language and these globals of the web: what a worker
// without a browser, at whichever provider, has at least.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

const [bundle, url, key, from, to] = process.argv.slice(2);
const web = { fetch, URL, URLSearchParams, AbortController, AbortSignal, DOMException, setTimeout, clearTimeout };
const realm = createContext(web);
const { read } = runInContext(`${readFileSync(bundle, "utf8")}; program`, realm);
console.log(JSON.stringify(await read({ url, key, from, to })));
