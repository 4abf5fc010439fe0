/** `send` says whether a reply went out. */
type TakeDatagram = (bytes: Uint8Array, address: string, send: (reply: Uint8Array) => boolean) => void;

type DatagramSocket = Bun.udp.Socket<"uint8array" | "buffer">;

/**
 * Where nobody listens any more, the system says so to whoever sends next, whoever that is for, and sends nothing then. Some
 * addresses cannot be sent to at all, and anybody may write such a one on a datagram.
 */
const attempts = 3;

/** `take` gets each datagram with the way back to where it says that it comes from. */
export function openDatagramPort(hostname: string, port: number, take: TakeDatagram): Promise<DatagramSocket> {
  return Bun.udpSocket({
    hostname,
    port,
    socket: {
      data: (socket, bytes, fromPort, address) =>
        take(bytes, address, (reply) => wasSent(socket, reply, fromPort, address)),
      // Whoever sent it is gone, and its machine says so. Without a handler that would end the server.
      error: () => {},
    },
  });
}

function wasSent(socket: DatagramSocket, reply: Uint8Array, port: number, address: string): boolean {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return socket.send(reply, port, address);
    } catch {
      // The next attempt says whether it was about this one.
    }
  }
  return false;
}
