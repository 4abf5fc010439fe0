import type { Server } from "node:net";

/**
 * Below the ports that a system gives to whoever wants any (from 32768 on). Each test process has some of these for
 * itself, so that one which a test gives up and wants back is not another's meanwhile.
 */
const firstPort = 11_000;
const portsOfEach = 20;
const processes = 1_000;

let asked = 0;

/** Has the server listen on a port that it can come back to. */
export async function listenLastingly(server: Server): Promise<number> {
  const first = firstPort + (process.pid % processes) * portsOfEach;
  for (let attempt = 1; ; attempt++) {
    const port = first + (asked++ % portsOfEach);
    try {
      await listenOn(server, port);
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || attempt === portsOfEach) throw error;
    }
  }
}

export function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}
