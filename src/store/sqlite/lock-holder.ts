import { readFileSync, statSync } from "node:fs";

/** The byte of the `-shm` file that SQLite locks for a writer. */
const writeLockByte = "120";

/**
 * Who writes to a store at this moment, in words. A server's own threads have a connection each, so it need not be another
 * process. Linux lists all locks, each with its process; elsewhere nobody can say.
 */
export function writerOf(path: string): string {
  const pid = writingProcess(path);
  if (pid === null) return "another process or another thread of this one";
  return pid === process.pid ? "another thread of this process" : `another process (${pid})`;
}

/** Null: nobody writes any more, or it is not known. */
function writingProcess(path: string): number | null {
  try {
    const inode = statSync(`${path}-shm`).ino;
    for (const line of readFileSync("/proc/locks", "utf8").split("\n")) {
      // `5: POSIX  ADVISORY  WRITE 3416 fe:00:10010673 120 120`; of another container's process the number is 0.
      const [, , , kind, pid, file, first] = line.trim().split(/\s+/);
      const isWriter = kind === "WRITE" && first === writeLockByte && file?.endsWith(`:${inode}`);
      if (isWriter && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // Not on Linux, or not for us to read.
  }
  return null;
}
