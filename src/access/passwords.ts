import { isText } from "../domain/text/text.ts";

/**
 * Passwords are chosen by people, so they get a slow hash. Argon2id with OWASP's first recommendation: 19 MiB and two
 * passes, some 20 ms. More memory would let a few sign-ins at once exhaust a small machine.
 */
const settings = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

export const passwordExpected = "8 to 200 characters, none of them a control character";

/** What a person may choose. */
export function isFitPassword(password: string): boolean {
  return isText(password, 8, 200);
}

export const passwordHashExpected = "a hash as `odograph fleet export` writes it (argon2id)";

/**
 * 32 bytes of salt and 32 of hash, at exactly the cost above. A file must not name another: a high one would let every
 * sign-in burn the machine, and any other would reveal by its time that the user exists.
 */
const written = new RegExp(
  `^\\$argon2id\\$v=19\\$m=${settings.memoryCost},t=${settings.timeCost},p=1(?:\\$[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]){2}$`,
);

/** Whether it is a hash that `hashPassword` may have made. */
export function isPasswordHash(text: string): boolean {
  return written.test(text);
}

export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, settings);
}

export function verifyPassword(password: string, hash: string): Promise<boolean> {
  return Bun.password.verify(password, hash);
}
