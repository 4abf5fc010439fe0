import type { ErrorAnswer, ErrorCode, Scope } from "./types/index.ts";
/** What the API says, or `UNREADABLE` where something between, such as a proxy, answered in its place. */
export type FailureCode = ErrorCode | "CURSOR_EXPIRED" | "UNREADABLE";
/** The API refused the call, or failed. Branch on `code`, never on the message. */
export declare class OdographError extends Error {
    readonly name = "OdographError";
    readonly code: FailureCode;
    readonly status: number;
    /** Identifies the call, for support. */
    readonly requestId: string | null;
    /** With `RATE_LIMITED`: seconds to wait. */
    readonly retryAfterS: number | null;
    /** With `INSUFFICIENT_SCOPE`: what the endpoint needs, and what the key holds. */
    readonly requiredScopes: readonly Scope[];
    readonly grantedScopes: readonly Scope[];
    constructor(status: number, headers: Headers, answer: ErrorAnswer | null);
}
export declare function isFailure(error: unknown, code: FailureCode): error is OdographError;
/** The error that a response reports. */
export declare function errorOf(response: Response): Promise<OdographError>;
