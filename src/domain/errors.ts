/** Who gets answers: a client of the API, an assistant, a person at the portal, a sender of frames. */
export type Audience = "api" | "agent" | "portal" | "sender";

interface ErrorRules {
  /** The status for those who may see the error. */
  readonly status: number;
  /** The program's exit code. 1: it failed; 2: it was called or configured wrongly. */
  readonly exit: 1 | 2;
  /** How the log counts it: the caller's mistake, our fault, or neither (a client that went away). */
  readonly outcome: "refused" | "failed" | "aborted";
  /** Who may see its code and its message. Everybody else gets INTERNAL, and the message goes to the log only. */
  readonly seenBy: readonly Audience[];
  /** What a sender gets instead of INTERNAL: its frames are not stored and must be sent again later. */
  readonly senderGets?: "UNAVAILABLE";
}

const everyone = ["api", "agent", "portal", "sender"] as const;
const keyHolders = ["api", "agent"] as const;
const portal = ["portal"] as const;
const sender = ["sender"] as const;
const uploaders = ["agent", "portal", "sender"] as const;
const nobody = [] as const;

const internal = { status: 500, exit: 1, outcome: "failed", seenBy: nobody } as const;
const storeTrouble = { ...internal, senderGets: "UNAVAILABLE" } as const;

/**
 * Every way in which Odograph can fail, and who may see it, in one table. A code is stable: scripts and clients branch on it.
 * The servers answer and log by it (src/http/failures.ts), and a command takes its exit code from it (src/cli/main.ts).
 */
export const errorTable = {
  INVALID_REQUEST: { status: 400, exit: 2, outcome: "refused", seenBy: everyone },
  INVALID_API_KEY: { status: 401, exit: 1, outcome: "refused", seenBy: keyHolders },
  INVALID_INGEST_TOKEN: { status: 401, exit: 1, outcome: "refused", seenBy: sender },
  NOT_SIGNED_IN: { status: 401, exit: 1, outcome: "refused", seenBy: portal },
  // A provider said who a person is, and no user has that e-mail.
  NO_SUCH_PERSON: { status: 403, exit: 1, outcome: "refused", seenBy: portal },
  SIGN_IN_UNFINISHED: { status: 400, exit: 1, outcome: "refused", seenBy: portal },
  // A provider answered, and what it says must not be believed.
  INVALID_ID_TOKEN: { status: 403, exit: 1, outcome: "refused", seenBy: portal },
  PROVIDER_UNAVAILABLE: { status: 503, exit: 1, outcome: "refused", seenBy: portal },
  INSUFFICIENT_SCOPE: { status: 403, exit: 1, outcome: "refused", seenBy: keyHolders },
  FORBIDDEN: { status: 403, exit: 1, outcome: "refused", seenBy: ["agent", "portal"] },
  NOT_FOUND: { status: 404, exit: 1, outcome: "refused", seenBy: everyone },
  METHOD_NOT_ALLOWED: { status: 405, exit: 1, outcome: "refused", seenBy: everyone },
  BODY_TOO_SLOW: { status: 408, exit: 1, outcome: "refused", seenBy: uploaders },
  CONFLICT: { status: 409, exit: 1, outcome: "refused", seenBy: portal },
  CURSOR_EXPIRED: { status: 410, exit: 1, outcome: "refused", seenBy: keyHolders },
  BODY_TOO_LARGE: { status: 413, exit: 1, outcome: "refused", seenBy: everyone },
  RATE_LIMITED: { status: 429, exit: 1, outcome: "refused", seenBy: everyone },
  TOO_MANY_ATTEMPTS: { status: 429, exit: 1, outcome: "refused", seenBy: portal },
  // The caller's own uploads take all the memory that it may have.
  TOO_MANY_UPLOADS: { status: 429, exit: 1, outcome: "refused", seenBy: uploaders },
  // So many sign in at once, or try passwords, that some must wait: the callers' doing.
  PASSWORDS_BUSY: { status: 503, exit: 1, outcome: "refused", seenBy: portal },
  CLIENT_GONE: { status: 499, exit: 1, outcome: "aborted", seenBy: uploaders },
  // Too much is asked of this process at once: the callers' doing, not the store's.
  UNAVAILABLE: { status: 503, exit: 1, outcome: "refused", seenBy: uploaders },

  INTERNAL: internal,
  STORE_MISSING: storeTrouble,
  STORE_LOCKED: storeTrouble,
  STORE_READ_ONLY: storeTrouble,
  STORE_CORRUPT: storeTrouble,
  STORE_FULL: storeTrouble,
  STORE_TOO_NEW: storeTrouble,
  STORE_TOO_OLD: storeTrouble,
  STORE_UNREACHABLE: storeTrouble,

  // Only commands fail with these.
  WRONG_CALL: { ...internal, exit: 2 },
  WRONG_SETTING: { ...internal, exit: 2 },
  FLEET_FILE_INVALID: internal,
  FILE_UNREADABLE: internal,
  REFUSED: internal,
  PORT_UNAVAILABLE: internal,
} as const satisfies Record<string, ErrorRules>;

export type ErrorCode = keyof typeof errorTable;

/** The only error thrown on purpose. Its message is one line, meant for a person; it never holds a secret. */
export class Failure extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
  }
}
