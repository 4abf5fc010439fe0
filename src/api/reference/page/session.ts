import { addressOf } from "./dom.ts";

/** Who is signed in to the portal in this browser. Its cookie is for the portal's path only, and no script can read it. */
export interface SignedIn {
  readonly user: { readonly name: string; readonly role: string };
  readonly account: { readonly name: string };
}

/** Null: nobody. Throws if the server cannot be reached. */
export async function whoIsSignedIn(): Promise<SignedIn | null> {
  const response = await fetch(addressOf("portal/api/session"), { cache: "no-store" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`the portal answered with ${response.status}`);
  return response.json();
}

export interface OwnDevice {
  readonly device_id: string;
  readonly imei: string;
  readonly name: string;
  readonly plate: string | null;
}

/** One page: more are not looked through in a list. */
export const maxOffered = 500;

let devices: Promise<readonly OwnDevice[]> | null = null;

/** The devices that the person sees. Read once; none if that fails: they are only an offer. */
export function ownDevices(): Promise<readonly OwnDevice[]> {
  devices ??= fetch(addressOf(`portal/api/data/devices?limit=${maxOffered}`), { cache: "no-store" })
    .then(async (response) => (response.ok ? ((await response.json()) as { data: OwnDevice[] }).data : []))
    .catch(() => []);
  return devices;
}

/** Somebody else may have signed in. */
export function forgetDevices(): void {
  devices = null;
}
