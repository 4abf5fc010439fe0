import { z } from "zod";
import { Failure } from "../../domain/errors.ts";
import { asRefusals } from "../fleet-edit.ts";
import { readCheckedBody } from "../read-body.ts";
import { tooManyAttempts } from "../refusals.ts";
import { linkToken as token } from "../request-fields.ts";
import { portalRoute } from "../route.ts";
import { answerSignedIn, presented } from "./session.ts";

/** The same whatever the cause. */
function uselessLink(): Failure {
  const message = "this link does not work any more; the server prints a new one when it starts without an account";
  return new Failure("NOT_FOUND", message);
}

/** Whether a link still works, before a person fills in a form. */
export const showSetup = portalRoute("POST /setup/link", "anyone", async (call) => {
  const isOpen = await call.parts.firstRun.isOpen(
    readCheckedBody(call, z.object({ token })).token,
    call.address(),
    call.now,
  );
  if (typeof isOpen === "object") throw tooManyAttempts(isOpen.waitMs);
  if (!isOpen) throw uselessLink();
  return { status: 204 };
});

/** What it must look like is checked as in a fleet file. */
const text = (expected: string) => z.string({ error: `expected ${expected}` }).max(1000, `expected ${expected}`);
const entered = z.object({
  token,
  account_name: text("a name"),
  time_zone: text("a time zone"),
  name: text("a name"),
  email: text("an e-mail address"),
  password: text("a password"),
});

/** Makes the first account and its owner, and signs in. */
export const runSetup = portalRoute("POST /setup", "anyone", async (call) => {
  const { request, parts, now } = call;
  const { token, account_name, time_zone, ...owner } = readCheckedBody(call, entered);
  const account = { accountName: account_name, timeZone: time_zone, ...owner };
  const from = { address: call.address(), ...presented(request) };
  const done = await asRefusals(() => parts.firstRun.run({ token, entered: account, ...from }, now));
  return answerSignedIn(call, done, uselessLink, 201);
});
