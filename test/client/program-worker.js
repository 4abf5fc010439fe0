import { read } from "./program.js";

self.onmessage = async ({ data }) => self.postMessage(await read(data));
