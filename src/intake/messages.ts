import { readOsmandQuery, readParameters, readTraccarClient } from "./formats/osmand.ts";
import { readOwnTracks } from "./formats/owntracks.ts";
import { readTraccarEvent, readTraccarPosition } from "./formats/traccar.ts";
import type { FormatResult, IncomingFrame } from "./incoming-frame.ts";
import { readFrameBody, readJsonBody } from "./read-frames.ts";

export interface IngestMessage {
  readonly method: string;
  /** As it was sent. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A frame, or the reason why it is refused, or null for something understood that contains no frame. */
export type MessagePart = IncomingFrame | string | null;

export interface MessageFormat {
  readonly methods: readonly string[];
  /** Whether the sender reads the answer: then it is always 200 and lists what was refused. Otherwise a refusal is a 4xx. */
  readonly readsAnswer: boolean;
  readonly read: (message: IngestMessage, now: number) => readonly MessagePart[];
  /** Whether the sender cannot send headers, so that the token is part of the address. */
  readonly takesTokenInQuery?: boolean;
  /** Of a decompressed body. */
  readonly maxBytes: number;
  /** The answer that the sender expects instead of the counts. */
  readonly answer?: string;
}

/** Ten thousand frames with all their fields and sensors take less. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** One message of a phone or another system may include a picture of its owner or a list of places. */
const maxMessageBytes = 1024 * 1024;

/** A phone or another system sends one message, and looks only at the status. */
const foreign = { methods: ["POST"], readsAnswer: false, maxBytes: maxMessageBytes } as const;

export const messageFormats: Readonly<Record<string, MessageFormat>> = {
  "/frames": {
    methods: ["POST"],
    readsAnswer: true,
    maxBytes: maxBodyBytes,
    read: ({ body, headers }, now) => readFrameBody(body, headers.get("content-type"), now),
  },
  "/traccar/positions": {
    ...foreign,
    read: ({ body }, now) => readTraccarPosition(readJsonBody(body), now).flatMap(messagePartsOf),
  },
  "/traccar/events": {
    ...foreign,
    read: ({ body }, now) => readTraccarEvent(readJsonBody(body), now).flatMap(messagePartsOf),
  },
  "/osmand": {
    ...foreign,
    methods: ["GET", "POST"],
    takesTokenInQuery: true,
    read: readOsmand,
  },
  "/owntracks": { ...foreign, read: readOwnTracksMessage, answer: "[]" },
};

/** Parameters in the query or as a form; the newer Traccar Client sends JSON. */
function readOsmand({ method, query, headers, body }: IngestMessage, now: number): readonly MessagePart[] {
  if (method === "POST" && body.length > 0) {
    const isForm = headers.get("content-type")?.toLowerCase().includes("x-www-form-urlencoded");
    if (!isForm) return messagePartsOf(readTraccarClient(readJsonBody(body), now, readParameters(query).devices));
    return messagePartsOf(readOsmandQuery(`${query}&${new TextDecoder().decode(body)}`, now));
  }
  return messagePartsOf(readOsmandQuery(query, now));
}

function readOwnTracksMessage({ query, headers, body }: IngestMessage, now: number): readonly MessagePart[] {
  if (body.length === 0) return [null];
  // A header that was sent twice arrives as one, with a comma.
  const beside = [...(headers.get("x-limit-d") ?? "").split(","), ...new URLSearchParams(query).getAll("d")];
  return messagePartsOf(readOwnTracks(readJsonBody(body), beside, now));
}

export function messagePartsOf(decoded: FormatResult): readonly MessagePart[] {
  switch (decoded.kind) {
    case "frames":
      return decoded.frames;
    case "nothing":
      return [null];
    case "refused":
      return [decoded.reason];
  }
}
