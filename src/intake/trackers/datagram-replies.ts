/**
 * Sends the replies to a datagram as long as they are no longer, all together, than what came: where a datagram says it comes from may
 * be made up, and nobody must get more through us than was sent for it. Others are withheld.
 */
export function repliesWithin(
  receivedBytes: number,
  send: (reply: Uint8Array) => void,
  onWithheld: () => void,
): (reply: Uint8Array) => void {
  let left = receivedBytes;
  return (reply) => {
    if (reply.length > left) {
      onWithheld();
      return;
    }
    left -= reply.length;
    send(reply);
  };
}
