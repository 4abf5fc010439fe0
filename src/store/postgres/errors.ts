import { type ErrorCode, Failure } from "../../domain/errors.ts";

/** By SQLSTATE, or the first two characters of it. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "08": ["STORE_UNREACHABLE", "PostgreSQL does not answer"],
  "28": ["STORE_UNREACHABLE", "PostgreSQL refused the sign-in: check user and password of DATABASE_URL"],
  "3D000": ["STORE_MISSING", "PostgreSQL has no database of the name in DATABASE_URL"],
  "25006": ["STORE_READ_ONLY", "PostgreSQL is read-only (a standby?)"],
  "42501": ["STORE_READ_ONLY", "the user of DATABASE_URL may not do this"],
  "53100": ["STORE_FULL", "PostgreSQL's disk is full"],
  "53300": ["STORE_UNREACHABLE", "PostgreSQL has no connection left"],
  "57014": ["STORE_UNREACHABLE", "PostgreSQL took too long"],
  "57P": ["STORE_UNREACHABLE", "PostgreSQL is starting or shutting down"],
  "55P03": ["STORE_LOCKED", "PostgreSQL's rows are locked by another process"],
  XX001: ["STORE_CORRUPT", "PostgreSQL reports a corrupt table"],
  XX002: ["STORE_CORRUPT", "PostgreSQL reports a corrupt index"],
};

interface PostgresError {
  /** `ERR_POSTGRES_…` of the client, or a socket's error such as ECONNREFUSED. */
  readonly code?: string;
  /** SQLSTATE, when the server said something. */
  readonly errno?: string;
}

/** Says in plain words what PostgreSQL or the way to it reports; anything unforeseen passes as it is. */
export function explainPostgresError(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const state = sqlState(error);
  const meaning = meanings[state] ?? meanings[state.slice(0, 3)] ?? meanings[state.slice(0, 2)];
  if (meaning) return new Failure(meaning[0], meaning[1], { cause: error });
  if (isConnectionLost(error)) return new Failure("STORE_UNREACHABLE", "PostgreSQL does not answer", { cause: error });
  return error;
}

/** Whether the statement may not have reached the server, or its answer got lost. */
export function isConnectionLost(error: unknown): boolean {
  const code = (error as PostgresError | null)?.code;
  if (typeof code !== "string") return false;
  if (sqlState(error).startsWith("57P")) return true;
  return /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|NOT_CONNECTED)|^E(CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|AI)|^ENOENT$|^Failed/.test(
    code,
  );
}

/** Two transactions stood in each other's way and the server chose this one: running it again is the remedy. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

function sqlState(error: unknown): string {
  const { errno, code } = (error ?? {}) as PostgresError;
  return code === "ERR_POSTGRES_SERVER_ERROR" && typeof errno === "string" ? errno : "";
}
