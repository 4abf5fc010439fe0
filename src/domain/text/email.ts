/** What nobody sees, or what turns text around; and what mail programs read as more than an address. */
const notPlain = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800<>()[\]{}"\\,;:]/gu;
const domainName = /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*$/u;

export const plainEmailExpected =
  "expected an e-mail address without invisible characters, brackets, quotes, commas, colons and special forms of letters, " +
  "and after the @ only letters, digits, hyphens and single dots between them";

/** The form in which an address is stored: there is one for each way in which it is shown. */
export function normalEmail(email: string): string {
  return email.trim().normalize("NFC");
}

/** Whether an address in normal form reads as what it is. Others can be written in many ways that reach one mailbox. */
export function isPlainEmail(email: string): boolean {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  // Full-width and other compatible forms of letters are taken for the usual ones somewhere on the way.
  return email.search(notPlain) === -1 && domainName.test(domain) && email.normalize("NFKC") === email;
}

/** What mail servers may make of an address that is not plain. */
export function plainEmail(email: string): string {
  return email.normalize("NFKC").replace(notPlain, "");
}

/** Addresses with the same key belong to the same person. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** The keys under which a user may be found. An earlier version may have stored the address as it was given. */
export function emailKeys(email: string): { readonly given: string; readonly normal: string } {
  return { given: emailKey(email), normal: emailKey(normalEmail(email)) };
}

/** Whether two addresses differ at most in the case of ASCII letters. Other letters have more than one lower case. */
export function isSameEmail(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
