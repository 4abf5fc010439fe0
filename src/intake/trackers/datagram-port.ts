type TakeDatagram = (bytes: Uint8Array, address: string, send: (reply: Uint8Array) => void) => void;

/** `take` gets each datagram with the way back to where it says that it comes from. */
export function openDatagramPort(
  hostname: string,
  port: number,
  take: TakeDatagram,
): Promise<Bun.udp.Socket<"uint8array" | "buffer">> {
  return Bun.udpSocket({
    hostname,
    port,
    socket: {
      data: (socket, bytes, fromPort, address) =>
        take(bytes, address, (reply) => void socket.send(reply, fromPort, address)),
      // Whoever sent it is gone, and its machine says so. Without a handler that would end the server.
      error: () => {},
    },
  });
}
