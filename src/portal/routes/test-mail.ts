import { Failure } from "../../domain/errors.ts";
import { notifiablePeople } from "../../store/notifications/people.ts";
import { browserLanguage } from "../browser-language.ts";
import { readerOf } from "../mail/reader.ts";
import { testLetter } from "../notifications/test-letter.ts";
import { forbidden } from "../refusals.ts";
import { portalRoute } from "../route.ts";

/** Mails the person who asks, so that they know before the first alert whether mails reach them. */
export const sendTestMail = portalRoute("POST /notifications/test-mail", "signed in", async (call) => {
  const { parts, session, now } = call;
  const { database, mail, publicUrl } = parts;
  if (mail === null || publicUrl === null) {
    throw new Failure("CONFLICT", "this server sends no mail: its operator sets that up");
  }
  const { accountId } = session.visibility;
  const [person] = await notifiablePeople(database, accountId, session.user.id);
  if (person === undefined) throw forbidden("only people who may sign in are mailed");
  const { email, is_confirmed, account_name, time_zone } = person;
  const answer = (needs_confirmation: boolean, problem: string | null) => {
    return { body: { data: { email, needs_confirmation, problem } } };
  };
  if (is_confirmed === 0) return answer(true, null);
  if (!mail.tests.take(email, accountId, now)) return answer(false, "too_many");
  // Who signed in before that was noted is asking now.
  const spoken_language = person.spoken_language ?? browserLanguage(call.request.headers);
  const { language } = await readerOf(database, accountId, { ...person, spoken_language }, time_zone);
  const letter = testLetter(account_name, publicUrl.replace(/\/+$/, ""), language);
  return answer(
    false,
    await mail.send({ ...person, accountId }, letter, { headers: { "Auto-Submitted": "auto-generated" } }),
  );
});
