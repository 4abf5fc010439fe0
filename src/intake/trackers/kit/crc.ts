/** How a CRC of 16 bits is worked out, its lowest bit first. */
export interface CrcForm {
  readonly table: Uint16Array;
  readonly initial: number;
  readonly final: number;
}

/** CRC-16/X-25 (also called ITU): polynomial 0x1021 reflected, begins and ends with all ones. */
export const x25: CrcForm = { table: reflectedTable(0x8408), initial: 0xffff, final: 0xffff };

/** CRC-16/ARC (also called IBM): polynomial 0x8005 reflected, begins with 0. */
const arc: CrcForm = { table: reflectedTable(0xa001), initial: 0, final: 0 };

/** CRC-16/KERMIT (also called CCITT): as X-25, begins and ends with 0. */
const kermit: CrcForm = { table: x25.table, initial: 0, final: 0 };

/** CRC-16/MODBUS: as ARC, begins with all ones. */
const modbus: CrcForm = { table: arc.table, initial: 0xffff, final: 0 };

export function crc16Kermit(bytes: Uint8Array): number {
  return crcAfter(kermit, kermit.initial, bytes);
}

export function crc16Modbus(bytes: Uint8Array): number {
  return crcAfter(modbus, modbus.initial, bytes);
}

export function crc16X25(bytes: Uint8Array): number {
  return crcAfter(x25, x25.initial, bytes) ^ x25.final;
}

export function crc16Arc(bytes: Uint8Array): number {
  return crcAfter(arc, arc.initial, bytes) ^ arc.final;
}

/** The register after these bytes. With an index: an iterator costs several times as much. */
export function crcAfter({ table }: CrcForm, register: number, bytes: Uint8Array, from = 0, to = bytes.length): number {
  let value = register;
  for (let at = from; at < to; at++) value = (value >> 8) ^ (table[(value ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return value;
}

function reflectedTable(polynomial: number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >> 1) ^ polynomial : value >> 1;
    return value;
  });
}
