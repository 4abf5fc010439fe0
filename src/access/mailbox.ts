import { domainToASCII } from "node:url";
import { plainEmail } from "../domain/text/email.ts";

/**
 * The mailbox that mails to an address reach, as far as we can know: for counting mails, not for finding users. What follows
 * a plus is for sorting in most mailboxes. Earlier versions stored addresses that are not plain.
 */
export function mailboxKey(email: string): string {
  const plain = plainEmail(email).toLowerCase();
  const at = plain.lastIndexOf("@");
  if (at === -1) return plain;
  const [name] = plain.slice(0, at).split("+", 1);
  const domain = plain.slice(at + 1).replace(/\.+$/, "");
  return `${name}@${domainToASCII(domain) || domain}`;
}
