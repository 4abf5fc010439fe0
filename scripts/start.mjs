// `npm start`: installs what is missing and runs the demo.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { ensureInstalled, root } from "./install.mjs";

ensureInstalled({ production: true });

const server = spawn(join(root, "bin/odograph"), ["demo", ...process.argv.slice(2)], { stdio: "inherit" });

server.on("error", (error) => {
  process.stderr.write(`bin/odograph could not be started: ${error.message}\n`);
  process.exit(1);
});

server.on("exit", (code, signal) => {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});

// This process must not end before the server. A terminal sends Ctrl-C to the server as well, and npm repeats a signal
// that we may have received already. So each kind is passed on at most once: one Ctrl-C arrives as one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  let isHandedDown = signal === "SIGINT" && process.stdin.isTTY === true;
  process.on(signal, () => {
    if (isHandedDown) return;
    isHandedDown = true;
    server.kill(signal);
  });
}
