/** Bun sends a shorter body together with its head. */
const longBytes = 15_000;

/**
 * The body of an answer that had to wait for something outside of this process.
 *
 * Bun collects what it writes while it handles a request, and sends it at once. When the answer comes later, it sends each
 * name and value of the head by itself: some 70 system calls and 100 µs, unless the body is short (Bun 1.4). The parts of a
 * stream are collected then, too. One that ends before anything was sent is sent like bytes, with its `Content-Length`.
 *
 * `onWritten` is called when the bytes of a long body are no longer needed; never, if the client has gone before. A Response copies
 * those of a short one.
 */
export function lateBody(
  bytes: Uint8Array<ArrayBuffer>,
  onWritten?: () => void,
): Uint8Array<ArrayBuffer> | ReadableStream {
  if (bytes.byteLength < longBytes) return bytes;
  const whole: Bun.DirectUnderlyingSource = {
    type: "direct",
    pull(controller) {
      controller.write(bytes);
      controller.close();
      onWritten?.();
    },
  };
  // Nothing is sent before so many bytes are written.
  return new ReadableStream(whole, { highWaterMark: 2 * bytes.byteLength });
}
