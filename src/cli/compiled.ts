/**
 * Where the program begins that `npm run compile` makes into one file. It sees to what bin/odograph sees to elsewhere.
 * What Bun would read in the working directory is switched off at compile time (scripts/compile.ts).
 */

/** The size of the nursery, as in bin/odograph, where the reason stands. Only the environment can tell it to Bun. */
const heapVariable = "BUN_JSC_largeHeapSize";
const heapBytes = "67108864";

if (process.env[heapVariable] === undefined) {
  try {
    // The same process, begun anew: its id stays, so that signals reach it. Takes 6 ms, since nothing else is loaded yet.
    process.execve?.(process.execPath, ["odograph", ...process.argv.slice(2)], {
      ...process.env,
      [heapVariable]: heapBytes,
    });
  } catch {
    // Where that is not allowed, the server stops a little more often to collect.
  }
}

await import("./main.ts");

// Without an export this would be a script, in which nothing can be awaited.
export {};
