/** The checksum of the packet, as it was sent. */
export function packetConfirmation(checksum: number): Uint8Array {
  return Uint8Array.of(0x02, checksum & 0xff, checksum >> 8);
}

export function photoConfirmation(checksum: number): Uint8Array {
  return Uint8Array.of(0x07, checksum & 0xff, checksum >> 8);
}
