/** `utf8Write` is what `write` calls when it has looked at its arguments, which takes as long again. */
export type Utf8Buffer = Buffer<ArrayBuffer> & { utf8Write(text: string, at: number): number };

/** A buffer with memory of its own, so that a view of it begins where it does. */
export function utf8Buffer(bytes: number): Utf8Buffer {
  return Buffer.from(new ArrayBuffer(bytes)) as Utf8Buffer;
}
