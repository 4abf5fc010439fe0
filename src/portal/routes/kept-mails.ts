import { formatInstant } from "../../domain/time/time.ts";
import { keptMailHtml, keptMails } from "../../store/notifications/kept-mails.ts";
import { readId } from "../read-body.ts";
import { noSuch } from "../refusals.ts";
import { portalRoute } from "../route.ts";

/** What people of an account with a made-up fleet would have been mailed. Other accounts have none. */
export const listKeptMails = portalRoute("GET /kept-mails", "owner", async ({ parts, session }) => {
  const rows = await keptMails(parts.database, session.visibility.accountId);
  const data = rows.map(({ id, name, email, subject, body, attachments_json, kept_at }) => ({
    mail_id: id,
    name,
    email,
    subject,
    text: body,
    attachments: JSON.parse(attachments_json) as string[],
    kept_at: formatInstant(kept_at),
  }));
  return { body: { data } };
});

/** A page of its own: nothing runs in it and nothing is loaded, but its own styles hold. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
].join("; ");

export const showKeptMail = portalRoute("GET /kept-mails/{mail_id}/page", "owner", async (call) => {
  const html = await keptMailHtml(call.parts.database, call.session.visibility.accountId, readId(call, "mail"));
  if (html === null) throw noSuch("mail");
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": policy,
    },
  });
});
