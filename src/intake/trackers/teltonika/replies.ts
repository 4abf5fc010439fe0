/** The tracker may go on: we know it. */
export const acceptedReply = Uint8Array.of(1);

/** How many records of the packet are stored. Any other number than it sent makes the tracker send the packet again. */
export function recordsStored(count: number): Uint8Array {
  return Uint8Array.of(0, 0, 0, count);
}

/** The type of a packet whose receipt must be acknowledged by itself, and the type of that acknowledgement. */
const wantsAcknowledgement = 0;
const acknowledgement = 2;

/** The head of a packet over UDP. */
export interface Channel {
  readonly packetId: number;
  readonly type: number;
  readonly dataId: number;
}

/** As `recordsStored`, over UDP: it names the packet and its data. */
export function packetStored({ packetId, type, dataId }: Channel, count: number): Uint8Array {
  const id = [packetId >> 8, packetId & 255];
  const receipt = type === wantsAcknowledgement ? [0, 3, ...id, acknowledgement] : [];
  return Uint8Array.of(...receipt, 0, 5, ...id, 1, dataId, count);
}
