import { limits } from "../limits.ts";
import type { TcpPeer } from "./tcp-peer.ts";

/** Ends those that have not said who they are in time, and those that have said nothing for long. */
export function endSilent(peers: Iterable<TcpPeer>, now: number): void {
  for (const peer of peers) {
    const { connection, placedAt } = peer;
    // A tracker that has sent something not yet looked at, or has said who it is, waits for us.
    const isExpected = connection === null || (connection.device === null && connection.isIdle);
    const hasNoLogin = isExpected && placedAt !== null && now - placedAt > limits.loginMs;
    // It was asked to close the last time, and did not.
    if (peer.isEnding || (hasNoLogin && connection === null)) peer.cut();
    else if (hasNoLogin) connection?.refuse("no_login");
    else if (connection?.isIdle && now - connection.lastHeardAt > limits.idleMs) connection.refuse("idle");
  }
}
