import { to } from "../../both-sides/address.ts";
import type { StreetSetup } from "../../both-sides/contract/streets.ts";
import { PortalError, send } from "../api/request.ts";

/** While the server or the line is away, a piece is sent again, for a quarter of an hour. */
const retryMs = 3_000;
const maxRetries = 300;

/** A slow line shows progress, too: the first pieces are small, and those that arrive soon are followed by larger ones. */
const firstPieceBytes = 64_000;
const soonMs = 1_000;

interface UploadRequest {
  readonly file: File;
  readonly pieceBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (received: number) => void;
}

/** Sends a file piece by piece, each when the one before has arrived. What was begun and is not wanted any more is dropped. */
export async function uploadStreets({ file, pieceBytes, signal, onProgress }: UploadRequest): Promise<StreetSetup> {
  const { data: begun } = await send("POST /fleet/streets/uploads", { file_name: file.name, bytes: file.size }, signal);
  const { upload_id } = begun;
  try {
    let size = Math.min(firstPieceBytes, pieceBytes);
    for (let at = 0; at < file.size; ) {
      const piece = file.slice(at, Math.min(file.size, at + size));
      const address = to("PUT /fleet/streets/uploads/{upload_id}", { upload_id, at });
      const began = performance.now();
      const { data } = await patiently(() => send(address, piece, signal), signal);
      if (performance.now() - began < soonMs) size = Math.min(2 * size, pieceBytes);
      at = data.received;
      onProgress(at);
    }
    const finish = to("POST /fleet/streets/uploads/{upload_id}/finish", { upload_id });
    return (await send(finish)).data;
  } catch (error) {
    // The server drops it by itself, if it does not hear of this.
    send(to("DELETE /fleet/streets/uploads/{upload_id}", { upload_id })).catch(() => {});
    throw error;
  }
}

/** A piece does no harm when it is sent twice. */
async function patiently<Answer>(sendOnce: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce();
    } catch (error) {
      const isPassing = error instanceof PortalError && [0, 408, 429, 502, 503, 504].includes(error.status);
      if (!isPassing || tries >= maxRetries) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      signal.throwIfAborted();
    }
  }
}
