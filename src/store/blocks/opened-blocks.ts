import { BoundedMap } from "../../domain/bounded-map.ts";
import { FrameBlock } from "./frame-block.ts";

interface OpenedBlock {
  readonly body: Uint8Array;
  readonly block: FrameBlock;
}

/** Some 2,000 blocks: what the last pages were in. */
const maxBytes = 24 * 1024 * 1024;

/**
 * By a hash of the bytes. A block of the same bytes has the same frames, whoever reads it, so none of these is ever out of
 * date: a block that is written again has other bytes.
 */
const opened = new BoundedMap<number, OpenedBlock>({
  max: maxBytes,
  weigh: (_, { body, block }) => body.length + block.memoryBytes,
});

/** For pages of a list: the next one mostly begins in the block in which the last one ended. */
export function openBlock(body: Uint8Array): FrameBlock {
  const key = Bun.hash.xxHash32(body);
  const known = opened.get(key);
  if (known && Buffer.compare(known.body, body) === 0) return known.block;
  const block = new FrameBlock(body);
  opened.set(key, { body, block });
  return block;
}
