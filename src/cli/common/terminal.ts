import { writeSync } from "node:fs";
import type { Terminal } from "./command.ts";

const barWidth = 24;
/** Often enough to look alive, seldom enough to cost nothing. */
const redrawMs = 80;
/** Without a terminal, a line now and then shows that it is still working. */
const reportMs = 5_000;

/** A reader that has seen enough closes the pipe, which is no failure. Any other error is. */
function endOnBrokenOutput(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE") writeSync(2, `odograph: the output cannot be written (${error.code})\n`);
  process.exit(error.code === "EPIPE" ? 0 : 1);
}

/** The real terminal. Progress is a bar that redraws itself; in a log it is a line every few seconds. */
export function processTerminal(): Terminal {
  const isWatched = process.stderr.isTTY === true;
  process.stdout.on("error", endOnBrokenOutput);
  process.stderr.on("error", () => process.exit(1));
  let barIsShown = false;
  let lastDrawn = performance.now();

  const clearBar = () => {
    if (barIsShown) process.stderr.write("\r\u001b[K");
    barIsShown = false;
  };
  return {
    out(text) {
      clearBar();
      process.stdout.write(`${text}\n`);
    },
    note(text) {
      clearBar();
      process.stderr.write(`${text}\n`);
    },
    progress(step, done, total) {
      const now = performance.now();
      const isLast = done >= total;
      if (now - lastDrawn < (isWatched ? redrawMs : reportMs) && !(isWatched && isLast)) return;
      lastDrawn = now;
      // The length of a pipe is unknown.
      if (!Number.isFinite(total)) return;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const percent = `${Math.floor(share * 100)} %`;
      if (!isWatched) {
        process.stderr.write(`${step}: ${percent}\n`);
        return;
      }
      const filled = Math.round(share * barWidth);
      process.stderr.write(`\r${step} [${"█".repeat(filled)}${"·".repeat(barWidth - filled)}] ${percent}\u001b[K`);
      barIsShown = true;
    },
  };
}
