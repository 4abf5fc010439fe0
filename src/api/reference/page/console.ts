import { argumentsOf, type SampleCall, type SampleValues, samplePath } from "../samples/call.ts";
import { answerView, type ReceivedAnswer, statusWords } from "./console-answer.ts";
import { consoleForm, focusFirst } from "./console-form.ts";
import { button, element, find, pageUrl } from "./dom.ts";
import { followValues } from "./samples-view.ts";
import { noSignIn, watchSignIn } from "./session.ts";

/** A button beside the path. The console is made when it is opened first, and nothing is sent before. */
export function offerConsole(article: HTMLElement, call: SampleCall): void {
  const id = `${call.operationId}-console`;
  let panel: HTMLElement | null = null;
  const toggle = button("Try it", () => open(), "try");
  const open = () => {
    if (panel === null) {
      panel = consoleOf(call, id, find("h3", article).firstChild?.textContent?.trim() ?? "");
      find(".route", article).after(panel);
    } else panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
    if (!panel.hidden) focusFirst(find("form", panel), find(".run", panel));
  };
  toggle.setAttribute("aria-expanded", "false");
  find(".route", article).append(toggle);
}

function consoleOf(call: SampleCall, id: string, title: string): HTMLElement {
  const entry = consoleForm(call, title);
  const run = element("button", { type: "submit", class: "run" }, "Run");
  const request = element("code", { class: "path" });
  const access = element("p", { class: "access", role: "status" });
  const status = element("p", { class: "status", role: "status" });
  const answer = element("div", { class: "answer" });
  entry.form.append(element("div", { class: "console-actions" }, run, request));

  const showRequest = () => {
    const values = entry.values();
    request.textContent = `GET /v1${addressWith(call, values)}`;
    followValues(call.operationId, values);
  };
  entry.form.addEventListener("input", showRequest);
  showRequest();

  let isSending = false;
  const send = async (etag: string | null) => {
    if (isSending) return;
    isSending = true;
    status.textContent = "Running…";
    answer.classList.add("old");
    try {
      const received = await receive(call, addressWith(call, entry.values()), etag);
      const isSignedOut = received.response.status === 401;
      status.replaceChildren(...(isSignedOut ? ["You are signed out."] : statusWords(received)));
      answer.replaceChildren(...(isSignedOut ? [] : answerView(received, steps)));
      if (isSignedOut) await signIn.check();
    } catch {
      status.replaceChildren(element("strong", { class: "bad" }, "The server cannot be reached."), " Run it again.");
      answer.replaceChildren();
    }
    answer.classList.remove("old");
    isSending = false;
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

  const signIn = call.needsKey
    ? watchSignIn(access, (isSignedIn) => {
        run.disabled = !isSignedIn;
        if (isSignedIn) entry.offerDevices();
      })
    : noSignIn(access);
  run.disabled = signIn.isNeeded();
  signIn.check();
  const attributes = { class: "console", id, "aria-label": `Console: ${title}` };
  return element("section", attributes, access, entry.form, status, answer);
}

/** Below /v1. A variable of the path stays one until it is entered. */
function addressWith(call: SampleCall, values: SampleValues): string {
  const isComplete = call.parameters.every(({ name, place }) => place === "query" || values[name] !== undefined);
  const path = isComplete ? samplePath(call, values) : call.path;
  const query = argumentsOf(call, values, "query").map(({ parameter, value }) => [parameter.name, value]);
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** With the portal's session: its cookie goes along by itself. What needs no key is asked for directly. */
async function receive(call: SampleCall, path: string, etag: string | null): Promise<ReceivedAnswer> {
  const base = call.needsKey ? "portal/api/data" : "v1";
  const start = performance.now();
  const headers: HeadersInit = etag === null ? {} : { "If-None-Match": etag };
  const response = await fetch(pageUrl(base + path), { cache: "no-store", headers });
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, bytes, ms: performance.now() - start };
}
