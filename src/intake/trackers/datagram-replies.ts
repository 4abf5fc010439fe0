/** What IP and UDP put before each datagram, with either address family at least. */
const headerBytes = 28;

/**
 * Sends the replies to a datagram as long as they have no more bytes on the wire, all together, than what came: where a datagram says
 * it comes from may be made up, and nobody must get more through us than was sent for it. Others are withheld.
 */
export function repliesWithin(
  receivedBytes: number,
  send: (reply: Uint8Array) => boolean,
  onWithheld: () => void,
): (reply: Uint8Array) => void {
  let left = receivedBytes + headerBytes;
  return (reply) => {
    const bytes = reply.length + headerBytes;
    if (bytes <= left && send(reply)) left -= bytes;
    else onWithheld();
  };
}
