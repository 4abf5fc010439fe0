import { z } from "zod";
import { Failure } from "../../domain/errors.ts";
import { preferenceChoices } from "../../domain/preferences.ts";
import { formatInstant } from "../../domain/time/time.ts";
import { mailConfirmation } from "../mail/confirmation-mail.ts";
import { readCheckedBody } from "../read-body.ts";
import { tooManyAttempts } from "../refusals.ts";
import { givenEmail, newPassword, linkToken as token } from "../request-fields.ts";
import { portalRoute } from "../route.ts";
import { callerLanguage } from "./preferences.ts";
import { answerSignedIn, presented } from "./session.ts";

/** The same whatever the cause, with what to do about it. */
function uselessLink(): Failure {
  return new Failure("NOT_FOUND", "this link was used already, has expired or was replaced; ask for a new one");
}

/** Whom a link is for. Looking does not use it up: programs that scan mails look, too. */
export const showLink = portalRoute("POST /link", "anyone", async (call) => {
  const { parts, now } = call;
  const found = await parts.passwordLinks.find(readCheckedBody(call, z.object({ token })).token, call.address(), now);
  if (found === null) throw uselessLink();
  if ("outcome" in found) throw tooManyAttempts(found.waitMs);
  const { purpose, name, email, account_name, expiresAt } = found;
  return {
    body: { data: { purpose, name, email, account_name, expires_at: formatInstant(expiresAt) } },
  };
});

const use = z.object({ token, new_password: newPassword });

/** Sets the password and signs in. */
export const usePasswordLink = portalRoute("POST /link/use", "anyone", async (call) => {
  const { request, parts, now } = call;
  const { token, new_password: password } = readCheckedBody(call, use);
  const done = await parts.passwordLinks.use({ token, password, address: call.address(), ...presented(request) }, now);
  return answerSignedIn(call, done, uselessLink);
});

/** Confirms the address that the link was mailed to. It signs nobody in. */
export const useConfirmationLink = portalRoute("POST /link/confirm", "anyone", async (call) => {
  const { parts, now } = call;
  const done = await parts.passwordLinks.confirm(readCheckedBody(call, z.object({ token })).token, call.address(), now);
  if (done === null) throw uselessLink();
  if (done !== true) throw tooManyAttempts(done.waitMs);
  return { status: 204 };
});

/** Mails the person who asks the link that confirms their address. */
export const requestConfirmation = portalRoute("POST /email/confirmation", "signed in", async (call) => {
  const { parts, session, now } = call;
  const { database, mail, publicUrl } = parts;
  if (mail === null || publicUrl === null) {
    throw new Failure("CONFLICT", "this server sends no mail: its operator sets that up");
  }
  const user = { id: session.user.id, account_id: session.visibility.accountId };
  const wish = { user, wish: "asked", otherwise: await callerLanguage(call) } as const;
  const problem = await mailConfirmation({ database, mail, publicUrl }, wish, now);
  return { body: { data: { is_mailed: problem === null, mail_problem: problem } } };
});

const forgotten = z.object({
  email: givenEmail,
  /** Of the page; what is known of the person is above it. */
  language: z.enum(preferenceChoices.language).nullish().catch(null),
});

/** Mails a link to the user with this e-mail, a little later. The same answer, at once, whether or not anybody has. */
export const requestPasswordLink = portalRoute("POST /password/forgotten", "anyone", async (call) => {
  const { parts, now } = call;
  const { email, language } = readCheckedBody(call, forgotten);
  if (parts.mail === null) throw new Failure("NOT_FOUND", "this server sends no mail; ask the owner of the account");
  const { waitMs } = parts.passwordLinks.takeRequest(email, call.address(), now);
  if (waitMs > 0) throw tooManyAttempts(waitMs);
  parts.requestedLinks?.add({ email, language: language ?? null, now });
  return { status: 204 };
});
