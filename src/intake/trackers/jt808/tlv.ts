import { ByteReader } from "../kit/bytes.ts";

export interface Item {
  readonly id: number;
  readonly value: Uint8Array;
}

/** Items of number, length and value. `isWhole`: the last one ends where the bytes end. */
export interface ItemList {
  readonly items: readonly Item[];
  readonly isWhole: boolean;
}

/** `sizes`: the bytes of the number and of the length. */
export function itemList(bytes: Uint8Array, sizes: { readonly id: 1 | 2; readonly length: 1 | 2 }): ItemList {
  const reader = new ByteReader(bytes);
  const items: Item[] = [];
  while (reader.left > 0) {
    const id = sizes.id === 1 ? reader.u8() : reader.u16();
    const length = sizes.length === 1 ? reader.u8() : reader.u16();
    const value = reader.take(length);
    if (reader.isShort) return { items, isWhole: false };
    items.push({ id, value });
  }
  return { items, isWhole: true };
}

/** The whole value as one number of at most four bytes. */
export function numberIn(value: Uint8Array): number {
  let number = 0;
  for (const byte of value) number = number * 256 + byte;
  return number;
}

/** Two bytes as a signed number. */
export function signedWord(value: Uint8Array): number {
  return (numberIn(value) << 16) >> 16;
}

/** The highest bit is the sign, the others are the amount. */
export function signAndAmount(word: number): number {
  return word & 0x8000 ? 0 - (word & 0x7fff) : word; // never -0
}
