import { bytesOf } from "../kit/bytes.ts";
import { digitsOfTime } from "../kit/values.ts";

/** What we answer a message of this kind; some trackers send it again, or close the connection, until they get it. */
export function confirmation(maker: string, id: string, kind: string, receivedAt: number): Uint8Array {
  return bytesOf(`*${maker},${id},V4,${kind},${digitsOfTime(receivedAt)}#`);
}

/** A heartbeat is sent back without its values. */
export function heartbeatReply(maker: string, id: string, kind: string): Uint8Array {
  return bytesOf(`*${maker},${id},${kind}#`);
}
