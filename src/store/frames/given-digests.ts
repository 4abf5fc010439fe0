import type { FrameBlock } from "../blocks/frame-block.ts";
import type { Reader } from "../database.ts";
import type { DeviceKey } from "../device-key.ts";
import { FrameRun } from "./found-frames.ts";
import { readFrames } from "./frame-reads.ts";

/** Some twenty blocks: more than most devices fill in two days. */
const framesPerRead = 2_400;

/** Which of these digests frames of a device have, from one time up to another. Of frames whose digest is not that of their content. */
export async function givenDigestsAmong(
  reader: Reader,
  device: DeviceKey,
  digests: ReadonlySet<number>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  const note = (digest: number | null) => {
    if (digest !== null && digests.has(digest)) found.add(digest);
  };
  for (let from: number | null = fromMs; from !== null; ) {
    const range = { ...device, fromMs: from, toMs, after: null, count: framesPerRead, which: "all" as const };
    const { runs, nextMs }: Awaited<ReturnType<typeof readFrames>> = await readFrames(reader, range);
    for (const run of runs) {
      if (run instanceof FrameRun)
        for (let index = run.start; index < run.end; index++) note(givenIn(run.block, index));
      else note(run.digest);
    }
    from = nextMs;
  }
  return found;
}

/** Without making that of its content, which takes longer than all else. */
function givenIn(block: FrameBlock, index: number): number | null {
  return block.hasReceipts ? block.givenDigest(index) : null;
}
