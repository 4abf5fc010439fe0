import { read } from "./program.js";

const [url, key, from, to] = process.argv.slice(2);
console.log(JSON.stringify(await read({ url, key, from, to })));
