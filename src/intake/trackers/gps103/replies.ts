import { bytesOf } from "../kit/bytes.ts";

/** To a login. */
export const loginReply = bytesOf("LOAD");

/** To a heartbeat. Without it the tracker connects anew. */
export const onReply = bytesOf("ON");

/** To a call for help, which is else repeated every three minutes. */
export function sosReply(imei: string): Uint8Array {
  return bytesOf(`**,imei:${imei},E;`);
}
