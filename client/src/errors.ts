import type { ErrorAnswer, ErrorCode, Scope } from "./types/index.ts";

/** What the API says, or `UNREADABLE` where something between, such as a proxy, answered in its place. */
export type FailureCode = ErrorCode | "CURSOR_EXPIRED" | "UNREADABLE";

/** The API refused the call, or failed. Branch on `code`, never on the message. */
export class OdographError extends Error {
  override readonly name = "OdographError";
  readonly code: FailureCode;
  readonly status: number;
  /** Identifies the call, for support. */
  readonly requestId: string | null;
  /** With `RATE_LIMITED`: seconds to wait. */
  readonly retryAfterS: number | null;
  /** With `INSUFFICIENT_SCOPE`: what the endpoint needs, and what the key holds. */
  readonly requiredScopes: readonly Scope[];
  readonly grantedScopes: readonly Scope[];

  constructor(status: number, headers: Headers, answer: ErrorAnswer | null) {
    super(answer?.error.message ?? `the answer ${status} is not the API's`);
    this.code = answer?.error.code ?? "UNREADABLE";
    this.status = status;
    this.requestId = answer?.request_id ?? headers.get("X-Request-Id");
    const wait = headers.get("Retry-After");
    this.retryAfterS = wait !== null && /^\d+$/.test(wait) ? Number(wait) : null;
    this.requiredScopes = answer?.error.required_scopes ?? [];
    this.grantedScopes = answer?.error.granted_scopes ?? [];
  }
}

export function isFailure(error: unknown, code: FailureCode): error is OdographError {
  return error instanceof OdographError && error.code === code;
}

/** The error that a response reports. */
export async function errorOf(response: Response): Promise<OdographError> {
  const text = await response.text();
  return new OdographError(response.status, response.headers, readAnswer(text));
}

function readAnswer(text: string): ErrorAnswer | null {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.error?.code === "string" ? answer : null;
  } catch {
    return null;
  }
}
