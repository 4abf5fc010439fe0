import { bytesOf } from "../kit/bytes.ts";

/** The sum of all bytes up to the star, of which the lowest eight bits count. */
export function checksumOf(bytes: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) sum += bytes[at] ?? 0;
  return sum & 0xff;
}

/** Without it, a tracker that asks whether the connection is alive makes a new one. */
export function meitrackHeartbeatReply(id: string): Uint8Array {
  return message("z", id, "AAC,1");
}

/** How many positions are stored. */
export function fixedPositionsStored(flag: string, id: string, count: number): Uint8Array {
  return message(flag, id, `CCC,${count}`);
}

/** Over UDP the tracker repeats a stored position until it is told to delete it. */
export function storedPositionTaken(flag: string, id: string): Uint8Array {
  return message(flag, id, "AFF,1");
}

/** The length is that from the first comma to the end of the line. */
function message(flag: string, id: string, content: string): Uint8Array {
  const length = id.length + content.length + 7;
  const summed = `@@${flag}${length},${id},${content}*`;
  return bytesOf(`${summed}${checksumOf(bytesOf(summed)).toString(16).padStart(2, "0").toUpperCase()}\r\n`);
}
