import { bytesOf } from "../kit/bytes.ts";
import type { Tk103Message } from "./message.ts";

/**
 * To a handshake, a login and an alarm, the latter with its digit. Trackers that write commas have another description, which
 * wants none.
 */
export function tk103Reply({ id, kind, body, hasCommas }: Tk103Message): Uint8Array | null {
  if (hasCommas) return null;
  if (kind === "BP00") return bytesOf(`(${id}AP01HSO)`);
  if (kind === "BP05") return bytesOf(`(${id}AP05)`);
  return kind === "BO01" && /^\d/.test(body) ? bytesOf(`(${id}AS01${body.charAt(0)})`) : null;
}
