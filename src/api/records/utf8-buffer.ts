/** `write` calls `utf8Write` after checking its arguments, which doubles the time. It is not documented, so it may vanish. */
export type Utf8Buffer = Buffer<ArrayBuffer> & { utf8Write(text: string, at: number): number };

/** A buffer with its own memory, so that a view of it begins at offset 0. */
export function utf8Buffer(bytes: number): Utf8Buffer {
  const buffer = Buffer.from(new ArrayBuffer(bytes)) as Utf8Buffer;
  buffer.utf8Write ??= (text, at) => buffer.write(text, at, "utf8");
  return buffer;
}
