import { type Call, pathOf } from "../samples/call.ts";
import { answerView, type Received } from "./console-answer.ts";
import { addressWith, consoleForm, focusFirst } from "./console-form.ts";
import { addressOf, button, element, find } from "./dom.ts";
import { followValues } from "./samples-view.ts";
import { forgetDevices, type SignedIn, whoIsSignedIn } from "./session.ts";

/** A button beside the path. The console is made when it is opened first, and nothing is sent before. */
export function offerConsole(article: HTMLElement, call: Call): void {
  const id = `${call.operationId}-console`;
  let panel: HTMLElement | null = null;
  const toggle = button(
    "Try it",
    () => {
      if (panel === null) {
        panel = consoleOf(call, id);
        find(".route", article).after(panel);
      } else panel.hidden = !panel.hidden;
      toggle.setAttribute("aria-expanded", String(!panel.hidden));
      if (!panel.hidden) focusFirst(find("form", panel), find("button.run", panel));
    },
    "try",
  );
  toggle.setAttribute("aria-expanded", "false");
  toggle.setAttribute("aria-controls", id);
  find(".route", article).append(toggle);
}

function consoleOf(call: Call, id: string): HTMLElement {
  const entry = consoleForm(call);
  const run = element("button", { type: "submit", class: "run" }, "Run");
  const request = element("code", { class: "path" });
  const access = element("p", { class: "access", role: "status" });
  const answer = element("div", { class: "answer", role: "status", "aria-busy": "false" });
  entry.form.append(element("div", { class: "console-actions" }, run, request));
  const address = () => addressWith(call, pathOf(call, entry.values()), entry.values());
  const showRequest = () => {
    request.textContent = `GET /v1${addressWith(call, call.path, entry.values()).replace(/\{(\w+)\}/g, (unset, name) => entry.values()[name] ?? unset)}`;
    followValues(call.operationId, entry.values());
  };
  entry.form.addEventListener("input", showRequest);
  showRequest();

  const send = async (etag: string | null) => {
    run.disabled = true;
    answer.setAttribute("aria-busy", "true");
    try {
      const received = await receive(call, address(), etag);
      if (received.response.status === 401) {
        answer.replaceChildren();
        await signIn.check();
      } else answer.replaceChildren(...answerView(received, steps));
    } catch {
      answer.replaceChildren(element("p", { class: "status bad" }, "The server cannot be reached. Try again."));
    }
    answer.setAttribute("aria-busy", "false");
    run.disabled = signIn.isNeeded();
  };
  const steps = {
    readPage: (cursor: string) => {
      entry.enter("cursor", cursor);
      send(null);
    },
    askAgain: call.isConditional ? (etag: string) => send(etag) : null,
  };
  entry.form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(null);
  });
  const signIn = call.needsKey ? watchSignIn(access, run, () => entry.offerDevices()) : noSignIn(access);
  signIn.check();
  return element("section", { class: "console", id, "aria-label": "Console" }, access, entry.form, answer);
}

/** With the portal's session: its cookie goes along by itself. What needs no key is asked for directly. */
async function receive(call: Call, path: string, etag: string | null): Promise<Received> {
  const base = call.needsKey ? "portal/api/data" : "v1";
  const start = performance.now();
  const headers: HeadersInit = etag === null ? {} : { "If-None-Match": etag };
  const response = await fetch(addressOf(base + path), { cache: "no-store", headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes, ms: performance.now() - start };
}

interface SignInWatch {
  /** Looks who is signed in, and says so. */
  check(): Promise<void>;
  isNeeded(): boolean;
}

function noSignIn(access: HTMLElement): SignInWatch {
  access.textContent = "This call needs no key.";
  return { check: async () => {}, isNeeded: () => false };
}

/** Whoever signs in does so in the portal, in another tab, and is noticed when they are back. */
function watchSignIn(access: HTMLElement, run: HTMLButtonElement, onSignedIn: () => void): SignInWatch {
  let isNeeded = true;
  const check = async () => {
    run.disabled = isNeeded;
    try {
      const who = await whoIsSignedIn();
      isNeeded = who === null;
      access.replaceChildren(...(who === null ? signInWords() : sessionWords(who)));
      if (who === null) forgetDevices();
      else onSignedIn();
    } catch {
      access.replaceChildren("The server cannot be reached. ", button("Try again", check));
    }
    run.disabled = isNeeded;
  };
  document.addEventListener("visibilitychange", () => {
    if (isNeeded && document.visibilityState === "visible" && access.isConnected) check();
  });
  addEventListener("focus", () => {
    if (isNeeded && access.isConnected) check();
  });
  return { check, isNeeded: () => isNeeded };
}

function signInWords(): (Node | string)[] {
  const link = element("a", { href: addressOf("portal").href, target: "_blank", class: "button" }, "Sign in");
  return [
    "The console uses the portal’s session, not a key. ",
    link,
    " in a new tab, then come back: it goes on here.",
  ];
}

function sessionWords({ user, account }: SignedIn): (Node | string)[] {
  return [
    "Runs as ",
    element("strong", {}, user.name),
    `, ${account.name}, with the portal’s session, not with a key. It shows what you see: scopes play no part, and the limits are the session’s.`,
  ];
}
