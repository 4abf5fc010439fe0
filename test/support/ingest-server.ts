import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { freePort } from "./free-port.mjs";
import { canonical } from "./ingest-port.ts";
import { type ProgramOptions, type RunningProgram, startOdograph } from "./program.ts";

export { freePort };

export interface IngestServer extends RunningProgram {
  readonly ingestUrl: string;
}

/** A free port may be taken by another before the server has it; so many in a row are not. */
const attempts = 5;

/** The real program, with an ingest port that is known. */
export async function startServer(options: ProgramOptions): Promise<IngestServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      const program = await startOdograph(["serve", "--port", "0", "--ingest-port", String(port)], options);
      return { ...program, ingestUrl: `http://127.0.0.1:${port}` };
    } catch (error) {
      if (attempt === attempts || !String(error).includes("is taken by another program")) throw error;
    }
  }
}

export interface Sent {
  /** Null: no answer came. */
  readonly status: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of which they say what is in them
  readonly body: any;
}

/** Sends frames as a gateway does. */
export async function sendFrames(ingestUrl: string, token: string, frames: readonly IncomingFrame[]): Promise<Sent> {
  try {
    const response = await fetch(`${ingestUrl}/frames`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(frames.map(canonical)),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    return { status: null, body: null };
  }
}
