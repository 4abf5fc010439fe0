/**
 * Where the program begins that `npm run compile` makes into one file. It sees to what bin/odograph sees to elsewhere.
 * What Bun would read in the working directory is switched off at compile time (scripts/compile.ts).
 */

/** The sizes of the nurseries, as in bin/odograph, where the reason stands. Only the environment can tell them to Bun. */
const heapSizes = { BUN_JSC_largeHeapSize: "268435456", BUN_JSC_smallHeapSize: "67108864" };

if (Object.keys(heapSizes).some((name) => process.env[name] === undefined)) {
  try {
    // The same process, begun anew: its id stays, so that signals reach it. Takes 6 ms, since nothing else is loaded yet.
    process.execve?.(process.execPath, ["odograph", ...process.argv.slice(2)], { ...heapSizes, ...process.env });
  } catch {
    // Where that is not allowed, the server stops a little more often to collect.
  }
}

await import("./main.ts");

// Without an export this would be a script, in which nothing can be awaited.
export {};
