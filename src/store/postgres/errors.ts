import type { SQL } from "bun";
import { type ErrorCode, Failure } from "../../domain/errors.ts";

/** By SQLSTATE, or the first two characters of it. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "28": ["STORE_UNREACHABLE", "PostgreSQL refused the sign-in: check user and password of DATABASE_URL"],
  "28000": [
    "STORE_UNREACHABLE",
    "PostgreSQL refused the sign-in: check user and password of DATABASE_URL, and whether pg_hba.conf asks for TLS (sslmode=require)",
  ],
  "3D000": ["STORE_MISSING", "PostgreSQL has no database of the name in DATABASE_URL"],
  "25006": ["STORE_READ_ONLY", "PostgreSQL is read-only"],
  "25P": ["STORE_UNREACHABLE", "PostgreSQL ended a transaction in which nothing happened for too long"],
  "42501": ["STORE_READ_ONLY", "the user of DATABASE_URL may not do this"],
  "53": ["STORE_UNREACHABLE", "PostgreSQL has run out of what it needs to work"],
  "53100": ["STORE_FULL", "PostgreSQL's disk is full"],
  "53300": ["STORE_UNREACHABLE", "PostgreSQL has no connection left"],
  "57014": ["STORE_UNREACHABLE", "PostgreSQL took too long"],
  "57P": ["STORE_UNREACHABLE", "PostgreSQL is starting or shutting down"],
  "58030": ["STORE_FULL", "PostgreSQL cannot read or write its files: the disk is full or failing"],
  "55P03": ["STORE_LOCKED", "PostgreSQL's rows are locked by another transaction"],
  XX001: ["STORE_CORRUPT", "PostgreSQL reports a corrupt table"],
  XX002: ["STORE_CORRUPT", "PostgreSQL reports a corrupt index"],
};

/** By the code of the client, or of the library that checks certificates. The first match counts. */
const tlsMeanings: readonly (readonly [RegExp, string])[] = [
  [
    /^ERR_POSTGRES_TLS_NOT_AVAILABLE$/,
    "PostgreSQL offers no TLS: turn it on there, or leave sslmode out of DATABASE_URL",
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/,
    "PostgreSQL's certificate is not of the host in DATABASE_URL: name the host that it is of, or use sslmode=verify-ca, which does not compare them",
  ],
  [
    /^CERT_HAS_EXPIRED$|^CERT_NOT_YET_VALID$/,
    "PostgreSQL's certificate has expired or is not valid yet: renew it, or use sslmode=require, which does not look at it",
  ],
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)|^CERT_UNTRUSTED$/,
    "PostgreSQL's certificate is of an authority that is not known here: name its file in NODE_EXTRA_CA_CERTS, or use sslmode=require, which does not look at it",
  ],
  [
    /^ERR_POSTGRES_TLS_|^ERR_(?:SSL|TLS)_|CERT|^INVALID_(?:CA|PURPOSE)$/,
    "PostgreSQL and odograph cannot agree on TLS: check PostgreSQL's certificate, and sslmode in DATABASE_URL",
  ],
];

interface PostgresError {
  /** `ERR_POSTGRES_…` of the client, a socket's error such as ECONNREFUSED, or what is wrong with a certificate. */
  readonly code?: string;
  /** SQLSTATE, if the server answered. */
  readonly errno?: string;
}

/** Where a client connects to: host and port, or the socket's file. */
export function serverPlace(client: SQL): string {
  const { path, hostname, port } = client.options as { path?: string; hostname?: string; port?: number | string };
  return path || `${hostname}:${port}`;
}

export function noAnswer(place: string, cause?: unknown): Failure {
  const message = `PostgreSQL does not answer at ${place}: start it, or check DATABASE_URL`;
  return new Failure("STORE_UNREACHABLE", message, { cause });
}

/** A standby may be behind, and takes no writes: for us it is as good as unreachable. */
export class StandbyFailure extends Failure {
  constructor(place: string) {
    super("STORE_UNREACHABLE", `PostgreSQL at ${place} is a standby: DATABASE_URL must lead to the primary`);
  }
}

/** The server takes no writes. Another connection may lead to one that does, as after a failover. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof StandbyFailure || sqlState(error) === "25006";
}

/** Explains an error of PostgreSQL or the connection in plain words; returns anything unexpected unchanged. */
export function explainPostgresError(error: unknown, place: string): unknown {
  if (error instanceof Failure) return error;
  const state = sqlState(error);
  const worker = remoteNode.exec(error instanceof Error ? error.message : "")?.[1];
  if (worker) return new WorkerFailure(worker, { cause: error });
  if (state !== "" && error instanceof Error && movedShard.test(error.message)) return shardMoved(error);
  const meaning = meanings[state] ?? meanings[state.slice(0, 3)] ?? meanings[state.slice(0, 2)];
  if (meaning) return new Failure(meaning[0], meaning[1], { cause: error });
  if (isRefusedByFullDisk(error)) return new Failure("STORE_FULL", "PostgreSQL's disk is full", { cause: error });
  const tlsMeaning = tlsMeanings.find(([pattern]) => pattern.test(codeOf(error)));
  if (tlsMeaning) return new Failure("STORE_UNREACHABLE", tlsMeaning[1], { cause: error });
  if (state.startsWith("08") || isConnectionLost(error)) return noAnswer(place, error);
  return error;
}

/** What Citus says of a worker that it cannot reach, or that was lost in a transaction which needs it. */
const remoteNode =
  /(?:connection to the remote node (?:\S+@)?(?=\S+:\d+ failed)|failure on connection marked as essential: )(\S+:\d+)/;

/** What Citus says to a statement that waited for a shard which was replaced meanwhile. Sent again, it finds the new one. */
const movedShard = /^shard for the given value does not exist|^could not find valid entry for shard/;

function shardMoved(cause: unknown): Failure {
  return new Failure("STORE_LOCKED", "Citus moved the account's rows meanwhile: try again", { cause });
}

/** The client checks this part of an address when it is created, before it connects. */
export function explainAddressError(error: unknown): unknown {
  if (codeOf(error) !== "ERR_INVALID_ARG_VALUE") return error;
  const message = "DATABASE_URL: expected sslmode to be disable, allow, prefer, require, verify-ca or verify-full";
  return new Failure("WRONG_SETTING", message, { cause: error });
}

/** Whether the statement or its answer may have been lost. */
export function isConnectionLost(error: unknown): boolean {
  if (sqlState(error).startsWith("57P")) return true;
  return /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|NOT_CONNECTED)|^E(CONN|PIPE|TIMEDOUT|NOTFOUND|HOST|NET|AI)|^ENOENT$|^Failed/.test(
    codeOf(error),
  );
}

/** The server accepts no new connection because its disk is full; existing ones still answer. */
export function isRefusedByFullDisk(error: unknown): boolean {
  return sqlState(error) !== "" && error instanceof Error && /could not write init file/.test(error.message);
}

/** Two transactions conflicted and the server aborted this one: running it again helps. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

function sqlState(error: unknown): string {
  const { errno } = (error ?? {}) as PostgresError;
  return codeOf(error) === "ERR_POSTGRES_SERVER_ERROR" && typeof errno === "string" ? errno : "";
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as PostgresError;
  return typeof code === "string" ? code : "";
}

export class WorkerFailure extends Failure {
  readonly worker: string;

  constructor(worker: string, options?: ErrorOptions) {
    const message = `the worker ${worker} of the Citus cluster does not answer: start it, or check the coordinator's way to it`;
    super("STORE_UNREACHABLE", message, options);
    this.worker = worker;
  }
}
