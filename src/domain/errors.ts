/**
 * Every way in which Odograph can fail, in one table. A code is stable: scripts and clients branch on it.
 *
 * `status` is what the HTTP side answers, `exit` what the program returns (1: it failed, 2: it was called or set up
 * wrongly). What is not `public` reaches an API client as `INTERNAL`; its own text goes to the log only.
 * The ingest port and the portal show some more of them to their users.
 */
export const errorTable = {
  INVALID_REQUEST: { status: 400, exit: 2, public: true },
  INVALID_API_KEY: { status: 401, exit: 1, public: true },
  INSUFFICIENT_SCOPE: { status: 403, exit: 1, public: true },
  NOT_FOUND: { status: 404, exit: 1, public: true },
  METHOD_NOT_ALLOWED: { status: 405, exit: 1, public: true },
  RATE_LIMITED: { status: 429, exit: 1, public: true },
  INTERNAL: { status: 500, exit: 1, public: true },

  INVALID_INGEST_TOKEN: { status: 401, exit: 1, public: false },
  BODY_TOO_LARGE: { status: 413, exit: 1, public: false },
  BODY_TOO_SLOW: { status: 408, exit: 1, public: false },
  CLIENT_GONE: { status: 499, exit: 1, public: false },
  UNAVAILABLE: { status: 503, exit: 1, public: false },
  NOT_SIGNED_IN: { status: 401, exit: 1, public: false },
  FORBIDDEN: { status: 403, exit: 1, public: false },
  CONFLICT: { status: 409, exit: 1, public: false },
  TOO_MANY_ATTEMPTS: { status: 429, exit: 1, public: false },

  WRONG_CALL: { status: 500, exit: 2, public: false },
  WRONG_SETTING: { status: 500, exit: 2, public: false },
  FLEET_FILE_INVALID: { status: 500, exit: 1, public: false },
  FILE_UNREADABLE: { status: 500, exit: 1, public: false },
  REFUSED: { status: 500, exit: 1, public: false },
  PORT_UNAVAILABLE: { status: 500, exit: 1, public: false },

  STORE_MISSING: { status: 500, exit: 1, public: false },
  STORE_LOCKED: { status: 500, exit: 1, public: false },
  STORE_READ_ONLY: { status: 500, exit: 1, public: false },
  STORE_CORRUPT: { status: 500, exit: 1, public: false },
  STORE_FULL: { status: 500, exit: 1, public: false },
  STORE_TOO_NEW: { status: 500, exit: 1, public: false },
  STORE_TOO_OLD: { status: 500, exit: 1, public: false },
  STORE_UNREACHABLE: { status: 500, exit: 1, public: false },
} as const satisfies Record<string, { status: number; exit: 1 | 2; public: boolean }>;

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

/** Whatever was thrown: what is not ours was not foreseen. */
export function asFailure(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure("INTERNAL", "internal error", { cause: error });
}
