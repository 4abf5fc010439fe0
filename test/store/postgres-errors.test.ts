import { describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import { explainPostgresError } from "../../src/store/postgres/errors.ts";

/** As the client reports it: seen with a server that has such a certificate, where the code is one that it can be made to. */
function explained(code: string, errno?: string): unknown {
  return explainPostgresError(Object.assign(new Error("as the library says it"), { code, errno }), "db.test:5432");
}

describe("what stands between odograph and PostgreSQL", () => {
  test.each([
    ["ERR_POSTGRES_TLS_NOT_AVAILABLE", "offers no TLS"],
    ["ERR_POSTGRES_TLS_UPGRADE_FAILED", "cannot agree on TLS"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "NODE_EXTRA_CA_CERTS"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"],
    ["CERT_HAS_EXPIRED", "renew it"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "sslmode=verify-ca"],
    ["CERT_REVOKED", "cannot agree on TLS"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "cannot agree on TLS"],
    ["ECONNREFUSED", "does not answer at db.test:5432: start it, or check DATABASE_URL"],
  ])("is told in one line that says what to change: %s", (code, told) => {
    const failure = explained(code) as Failure;
    expect(failure).toBeInstanceOf(Failure);
    expect([failure.code as string, failure.message]).toEqual(["STORE_UNREACHABLE", expect.stringContaining(told)]);
    if (code !== "ECONNREFUSED") expect(failure.message).toContain("sslmode");
    expect(failure.message).not.toContain("\n");
  });

  test("a server that reports a broken connection does not answer", () => {
    const failure = explained("ERR_POSTGRES_SERVER_ERROR", "08006") as Failure;
    expect([failure.code as string, failure.message]).toEqual([
      "STORE_UNREACHABLE",
      "PostgreSQL does not answer at db.test:5432: start it, or check DATABASE_URL",
    ]);
  });

  test("a worker that the server cannot reach is named, and not the server", () => {
    for (const message of [
      "connection to the remote node odograph@10.0.0.7:5433 failed with the following error: refused",
      "connection to the remote node 10.0.0.7:5433 failed",
      "failure on connection marked as essential: 10.0.0.7:5433",
    ]) {
      const cause = Object.assign(new Error(message), { code: "ERR_POSTGRES_SERVER_ERROR", errno: "08006" });
      expect(explainPostgresError(cause, "db.test:5432")).toMatchObject({
        code: "STORE_UNREACHABLE",
        worker: "10.0.0.7:5433",
        message: expect.stringMatching(/^the worker 10\.0\.0\.7:5433 of the Citus cluster does not answer: start it/),
        cause,
      });
    }
  });

  test("a server that asks for TLS refuses the sign-in, and sslmode is named beside user and password", () => {
    const failure = explained("ERR_POSTGRES_SERVER_ERROR", "28000") as Failure;
    expect(failure.message).toContain("check user and password of DATABASE_URL");
    expect(failure.message).toContain("sslmode=require");
    expect((explained("ERR_POSTGRES_SERVER_ERROR", "28P01") as Failure).message).not.toContain("sslmode");
  });

  test("what is unforeseen passes as it is", () => {
    for (const error of [new Error("x"), null, undefined, "text", Object.assign(new Error("x"), { code: 7 })]) {
      expect(explainPostgresError(error, "db.test:5432")).toBe(error);
    }
  });
});
