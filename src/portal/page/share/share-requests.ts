import { type CallTarget, to } from "../../both-sides/address.ts";
import type { ReadName } from "../../both-sides/contract/contract.ts";
import type { SharedAnswer, SharedTrack } from "../../both-sides/contract/shares.ts";
import { getResponse } from "../api/request.ts";

/** The secret is in a header: addresses are logged by proxies. */
export function shareHeaders(secret: string): Readonly<Record<string, string>> {
  return { "X-Odograph-Share": secret };
}

export function loadShare(secret: string, signal: AbortSignal): Promise<SharedAnswer> {
  return ask("GET /share", secret, signal);
}

/** The next part of the track of a vehicle. */
export function loadTrackPart(secret: string, vehicle: number, after: string | null): Promise<SharedTrack> {
  return ask(to("GET /share/track", { vehicle, after }), secret);
}

/** Without cookies: everyone with the link sees the same, also a person who is signed in. */
async function ask<Name extends ReadName>(target: CallTarget<Name>, secret: string, signal: AbortSignal | null = null) {
  return (await getResponse(target, { headers: shareHeaders(secret), credentials: "omit", signal })).json();
}
