import { addressOf, button, element } from "./dom.ts";
import { forgetDevices, type SignedIn, whoIsSignedIn } from "./session.ts";

export interface SignInWatch {
  /** Looks who is signed in, and says so. */
  check(): Promise<void>;
  isNeeded(): boolean;
}

export function noSignIn(access: HTMLElement): SignInWatch {
  access.textContent = "This call needs no key.";
  return { check: async () => {}, isNeeded: () => false };
}

/** Whoever signs in does so in the portal, in another tab, and is noticed when they are back. */
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
      if (who === null) forgetDevices();
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
    element("a", { href: addressOf("portal").href, target: "_blank" }, "Sign in to the portal"),
    " in a new tab, then come back: the console notices it.",
  ];
}

function sessionWords({ user, account }: SignedIn): (Node | string)[] {
  const words =
    ", with the portal’s session, not with a key: it shows what you see. Scopes play no part here, and the limits are the session’s.";
  return ["Runs as ", element("strong", {}, user.name), ` of ${account.name}${words}`];
}
