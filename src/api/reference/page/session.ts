import { button, element, pageUrl } from "./dom.ts";

/** Who is signed in to the portal in this browser. Its cookie is for the portal's path only, and no script can read it. */
interface SignedIn {
  readonly user: { readonly name: string; readonly role: string };
  readonly account: { readonly name: string };
}

/** Null: not signed in. Throws if the server cannot be reached. */
async function whoIsSignedIn(): Promise<SignedIn | null> {
  const response = await fetch(pageUrl("portal/api/session"), { cache: "no-store" });
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`the portal answered with ${response.status}`);
  return response.json();
}

interface OwnDevice {
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
  devices ??= fetch(pageUrl(`portal/api/data/devices?limit=${maxOffered}`), { cache: "no-store" })
    .then(async (response) => (response.ok ? ((await response.json()) as { data: OwnDevice[] }).data : []))
    .catch(() => []);
  return devices;
}

export interface SignInWatch {
  /** Looks who is signed in, and says so. */
  check(): Promise<void>;
  isNeeded(): boolean;
}

export function noSignIn(access: HTMLElement): SignInWatch {
  access.textContent = "This call needs no key.";
  return { check: async () => {}, isNeeded: () => false };
}

/** People sign in to the portal in another tab, which is noticed when they are back. */
export function watchSignIn(access: HTMLElement, onKnown: (isSignedIn: boolean) => void): SignInWatch {
  let isNeeded = true;
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    try {
      const who = await whoIsSignedIn();
      isNeeded = who === null;
      access.replaceChildren(...(who === null ? signInWords() : sessionWords(who)));
      // Another user may sign in.
      if (who === null) devices = null;
    } catch {
      access.replaceChildren("The portal does not answer. ", button("Try again", check));
    }
    isChecking = false;
    onKnown(!isNeeded);
  };
  const checkAgain = () => {
    if (isNeeded && document.visibilityState === "visible") check();
  };
  document.addEventListener("visibilitychange", checkAgain);
  addEventListener("focus", checkAgain);
  return { check, isNeeded: () => isNeeded };
}

function signInWords(): (Node | string)[] {
  return [
    "The console uses the portal’s session, not a key. ",
    element("a", { href: pageUrl("portal").href, target: "_blank" }, "Sign in to the portal"),
    " in a new tab, then come back: the console notices it.",
  ];
}

function sessionWords({ user, account }: SignedIn): (Node | string)[] {
  const words =
    ", with the portal’s session, not with a key: it shows what you see. Scopes play no part here, and the limits are the session’s.";
  return ["Runs as ", element("strong", {}, user.name), ` of ${account.name}${words}`];
}
