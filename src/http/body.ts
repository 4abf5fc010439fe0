import { gunzipSync } from "node:zlib";
import { Failure } from "../domain/errors.ts";
import type { ByteLease } from "./byte-budget.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Up to this declared length a body is read at once, which is fastest; others are counted as they arrive. */
const readAtOnceBytes = 256 * 1024;

/** A client that sends a few bytes now and then must not hold memory for ever. The largest body needs 56 kB/s. */
const uploadMs = 5 * 60_000;

const firstBytes = 4096;

export interface BodyBounds {
  /** Before and after decompression. */
  readonly maxBytes: number;
  /** Where the bytes are counted. The caller opened it and releases it, once the body is no longer needed. */
  readonly lease: Pick<ByteLease, "require" | "take">;
  readonly uploadMs?: number;
}

/** The whole body, decompressed. If the client breaks off, a `Failure` with the code CLIENT_GONE. */
export async function readBody(request: Request, bounds: BodyBounds): Promise<Bytes> {
  const { maxBytes, lease } = bounds;
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new Failure("INVALID_REQUEST", `Content-Encoding: expected gzip or none, got "${encoding}"`);
  }
  const declared = declaredBytes(request);
  if (declared === 0) return new Uint8Array();
  if (declared !== null && declared > maxBytes) throw bodyTooLarge(maxBytes);
  const isSmall = declared !== null && declared <= readAtOnceBytes;
  if (isSmall) lease.take(declared);
  else lease.require(declared ?? 0);
  try {
    const bytes = isSmall
      ? await readAtOnce(request, bounds)
      : await readGrowing(request, declared ?? maxBytes, bounds);
    return encoding === "gzip" ? decompressed(bytes, bounds) : bytes;
  } catch (error) {
    if (error instanceof Failure || !(request.signal.aborted || isAbort(error))) throw error;
    throw new Failure("CLIENT_GONE", "the client broke off before the body had arrived", { cause: error });
  }
}

/** Null if it is chunked, so that its length is unknown. */
function declaredBytes(request: Request): number | null {
  const length = request.headers.get("content-length");
  if (length !== null) return Number(length);
  return request.body === null ? 0 : null;
}

function readAtOnce(request: Request, bounds: BodyBounds): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const end = watchUpload(bounds.uploadMs ?? uploadMs, () => reject(tooSlow(bounds)));
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    request.arrayBuffer().then((buffer) => {
      end();
      resolve(new Uint8Array(buffer));
    }, fail);
  });
}

/** Into one buffer: a sender decides how small parts are, and a million objects would take much more memory. */
async function readGrowing(request: Request, maxExpected: number, bounds: BodyBounds): Promise<Bytes> {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  let isLate = false;
  const stop = () => reader.cancel().catch(() => {});
  const endWatch = watchUpload(bounds.uploadMs ?? uploadMs, () => {
    isLate = true;
    stop();
  });
  let buffer = new Uint8Array();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) throw tooSlow(bounds);
      if (done) return buffer.subarray(0, length);
      const needed = length + value.length;
      if (needed > bounds.maxBytes) throw bodyTooLarge(bounds.maxBytes);
      if (needed > buffer.length) {
        const capacity = Math.max(needed, Math.min(maxExpected, Math.max(firstBytes, Math.ceil(needed * 1.5))));
        bounds.lease.take(capacity - buffer.length);
        buffer = enlarged(buffer, capacity);
      }
      buffer.set(value, length);
      length = needed;
    }
  } catch (error) {
    // The runtime discards the rest, and reads the next request on the connection as usual.
    stop();
    throw error;
  } finally {
    endWatch();
  }
}

function enlarged(bytes: Bytes, capacity: number): Bytes {
  const larger = new Uint8Array(capacity);
  larger.set(bytes);
  return larger;
}

/** Only one body is decompressed at a time, since nothing else runs meanwhile; so counting the result is enough. */
function decompressed(bytes: Bytes, { maxBytes, lease }: BodyBounds): Bytes {
  const plain = gunzipped(bytes, maxBytes);
  lease.take(plain.length);
  return plain;
}

function gunzipped(bytes: Bytes, maxBytes: number): Bytes {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new Failure("BODY_TOO_LARGE", `expected a body of at most ${maxBytes} bytes when unpacked`);
    }
    throw new Failure("INVALID_REQUEST", "the body is not gzip, though Content-Encoding says so");
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

export function bodyTooLarge(maxBytes: number): Failure {
  return new Failure("BODY_TOO_LARGE", `expected a body of at most ${maxBytes} bytes`);
}

function tooSlow(bounds: BodyBounds): Failure {
  const seconds = Math.round((bounds.uploadMs ?? uploadMs) / 1000);
  return new Failure("BODY_TOO_SLOW", `the body must arrive within ${seconds} seconds; send less at a time`);
}

const checkMs = 1_000;

interface Watched {
  readonly until: number;
  readonly onLate: () => void;
}

const underWay = new Set<Watched>();
let timer: Timer | null = null;

/** Calls `onLate` after the time, give or take a second. Returns the end. One timer serves all: it is cheaper. */
function watchUpload(limitMs: number, onLate: () => void): () => void {
  const watched = { until: performance.now() + limitMs, onLate };
  underWay.add(watched);
  timer ??= setInterval(check, checkMs).unref();
  return () => underWay.delete(watched);
}

function check(): void {
  const now = performance.now();
  for (const watched of underWay) {
    // The oldest come first, but their limits may differ.
    if (watched.until > now) continue;
    underWay.delete(watched);
    watched.onLate();
  }
  if (underWay.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}
