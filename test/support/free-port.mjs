// Ports for servers that are started a moment later. Runs under Node and Bun.
import { createServer } from "node:net";

// Below the ports that systems choose themselves, for outgoing connections and for programs that ask for any: none of these is
// taken by chance between being found free and being listened on, nor while a server that comes back is away. Each process has
// a block of its own, and holds the first port of it for as long as it lives. Browsers refuse 10080.
const firstPort = 11_000;
const blockSize = 100;
const blocks = 210;

let ownBlock;
let given = 0;

/** A port of 127.0.0.1 on which nobody listens, and which no other test process is given. */
export async function freePort() {
  ownBlock ??= takeBlock();
  const first = await ownBlock;
  for (let attempt = 1; attempt < blockSize; attempt++) {
    const port = first + 1 + (given++ % (blockSize - 1));
    const holder = await holderOf(port);
    if (holder === null) continue;
    await new Promise((resolve) => holder.close(resolve));
    return port;
  }
  throw new Error(`no port from ${first} on is free`);
}

async function takeBlock() {
  for (let index = process.pid; index < process.pid + blocks; index++) {
    const first = firstPort + (index % blocks) * blockSize;
    const holder = await holderOf(first);
    if (holder === null) continue;
    holder.unref();
    return first;
  }
  throw new Error("every block of ports is taken");
}

/** The server that listens there from now on; null if another does. */
function holderOf(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => (error.code === "EADDRINUSE" ? resolve(null) : reject(error)));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
