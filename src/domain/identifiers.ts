const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const imei = /^[0-9]{14,16}$/;

/** Any version, either case: ids come from other people's systems. We store them in lower case. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/**
 * 14 digits (without the check digit), 15 (with it) or 16 (with a software version). The check digit itself is not
 * verified: many trackers ship with an IMEI that fails the Luhn sum.
 */
export function isImei(text: string): boolean {
  return imei.test(text);
}

/** Whether two addresses differ at most in the case of ASCII letters. Other letters have more than one lower case. */
export function isSameEmail(one: string, other: string): boolean {
  return asciiLowerCase(one) === asciiLowerCase(other);
}

function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Addresses with the same key belong to the same person. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
