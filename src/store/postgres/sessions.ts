import type { SQL } from "bun";
import { Failure } from "../../domain/errors.ts";
import { beforeDeadline } from "../deadlines.ts";
import { isConnectionLost, noAnswer, StandbyFailure, serverPlace } from "./errors.ts";
import type { ServerSession } from "./pool.ts";

export const connectionTimeoutS = 5;
/** A server that has not answered by then is asked again soon. */
const findMs = 2_000;

/**
 * A primary that comes back as a standby, or an address that leads to one, would answer reads with what was true before a
 * failover. A server never becomes a standby while clients are connected, so one look at each connection is enough.
 */
export async function sessionOnPrimary(client: SQL): Promise<ServerSession> {
  const { isStandby, ...session } = await sessionOn(client);
  if (isStandby) throw new StandbyFailure(serverPlace(client));
  return session;
}

export async function sessionOn(client: SQL): Promise<ServerSession & { readonly isStandby: boolean }> {
  const [row]: { standby: boolean; server: string; process: number }[] = await client.unsafe(`
    select pg_is_in_recovery() as standby, pg_postmaster_start_time()::text as server, pg_backend_pid() as process`);
  if (!row) throw new Error("PostgreSQL does not know this connection");
  return { isStandby: row.standby, server: row.server, process: row.process };
}

/** Which of the sessions the server at the address knows. Null: nobody answers there. */
export async function findSessions(
  connect: () => SQL,
  sessions: readonly ServerSession[],
): Promise<readonly ServerSession[] | null> {
  const client = connect();
  try {
    const asking = client.unsafe("select pg_postmaster_start_time()::text as server, pid from pg_stat_activity");
    const rows: { server: string; pid: number }[] = await answered(asking, findMs, client);
    return sessions.filter(({ server, process }) => rows.some((row) => row.server === server && row.pid === process));
  } catch {
    return null;
  } finally {
    void client.close({ timeout: 0 });
  }
}

/** Asks over a new connection: all others may be busy with something long. */
export async function isServerAlive(connect: () => SQL): Promise<boolean> {
  const client = connect();
  try {
    await answered(client.unsafe("select 1"), connectionTimeoutS * 1_000, client);
    return true;
  } catch (error) {
    // "Too many connections" is an answer, too.
    return !(error instanceof Failure) && !isConnectionLost(error);
  } finally {
    await client.close({ timeout: 0 });
  }
}

function answered<T>(asking: Promise<T>, limitMs: number, client: SQL): Promise<T> {
  return beforeDeadline(asking, limitMs, () => noAnswer(serverPlace(client)));
}
