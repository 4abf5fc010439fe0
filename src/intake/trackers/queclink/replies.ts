import { bytesOf } from "../kit/bytes.ts";
import type { TrackMessage } from "./message.ts";

/**
 * A message does not say whether its tracker waits for the acknowledgement: that is a setting (SACK). A tracker that waits keeps
 * what was not acknowledged and sends it again; one that does not wait has no use for it. So each message gets one.
 */
export function acknowledgement({ type, version, count }: TrackMessage): Uint8Array | null {
  // The oldest trackers send no version. Their manuals have another answer (+SRVACK), and we have seen none that wants it.
  if (count === null || version === "") return null;
  return bytesOf(type === "HBD" ? `+SACK:GTHBD,${version},${count}$` : `+SACK:${count}$`);
}
