import type { SharedAnswer, SharedTrack } from "../../records/share-record.ts";
import { request } from "../api/request.ts";

/** The secret is in a header: addresses are logged by proxies. */
export function shareHeaders(secret: string): Readonly<Record<string, string>> {
  return { "X-Odograph-Share": secret };
}

export function loadShare(secret: string, signal: AbortSignal): Promise<SharedAnswer> {
  return ask<SharedAnswer>("/share", secret, signal);
}

/** The next part of the track of a vehicle. */
export function loadTrackPart(secret: string, vehicle: number, after: string | null): Promise<SharedTrack> {
  const query = new URLSearchParams({ vehicle: String(vehicle), ...(after === null ? {} : { after }) });
  return ask<SharedTrack>(`/share/track?${query}`, secret);
}

/** Without cookies: whoever has the link sees the same, also somebody who is signed in. */
async function ask<T>(path: string, secret: string, signal: AbortSignal | null = null): Promise<T> {
  const response = await request(path, { headers: shareHeaders(secret), credentials: "omit", signal });
  return (await response.json()) as T;
}
