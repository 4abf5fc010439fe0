import { crc16Kermit } from "../kit/crc.ts";

/** Both commands for records have one answer; others have their own number and a hundred. */
const recordsReply = 100;
const replyOffset = 100;

/** What was sent is stored: the tracker may forget it. */
export function ruptelaAccepted(command: number): Uint8Array {
  return reply(command, 1);
}

/** It sends it again. */
export function ruptelaRefused(command: number): Uint8Array {
  return reply(command, 0);
}

function reply(command: number, result: 0 | 1): Uint8Array {
  const isRecords = command === 1 || command === 68;
  const content = Uint8Array.of(isRecords ? recordsReply : (command + replyOffset) & 0xff, result);
  const sum = crc16Kermit(content);
  return Uint8Array.of(0, content.length, ...content, sum >> 8, sum & 0xff);
}
