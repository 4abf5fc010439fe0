import { createHash, randomBytes } from "node:crypto";

/**
 * Credentials that we hand out: a prefix that names the kind, 40 random characters and 6 of checksum. The checksum finds
 * typos without a lookup and lets secret scanners recognise a key; the secrecy is all in the 40 characters (238 bits).
 */
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 40;
const checksumLength = 6;

export const credentialPrefixes = { apiKey: "odo_", ingestToken: "odi_" } as const;

export type CredentialKind = keyof typeof credentialPrefixes;

export interface NewCredential {
  /** Shown once, never stored. */
  readonly secret: string;
  readonly hash: string;
  /** The beginning, enough for a person to distinguish two of them. */
  readonly displayPrefix: string;
}

const displayedCharacters = 8;

export function newCredential(kind: CredentialKind): NewCredential {
  const random = randomCharacters(randomLength);
  const prefix = credentialPrefixes[kind];
  const secret = prefix + random + checksum(random);
  return { secret, hash: hashCredential(secret), displayPrefix: secret.slice(0, prefix.length + displayedCharacters) };
}

/** Whether the text could be a credential of that kind: length, characters and checksum fit. */
export function isWellFormed(kind: CredentialKind, text: string): boolean {
  const prefix = credentialPrefixes[kind];
  if (text.length !== prefix.length + randomLength + checksumLength || !text.startsWith(prefix)) return false;
  const random = text.slice(prefix.length, prefix.length + randomLength);
  return /^[0-9A-Za-z]*$/.test(random) && text.slice(prefix.length + randomLength) === checksum(random);
}

/**
 * What is stored. A plain SHA-256 is enough: slow hashes protect secrets that people choose and that can be guessed, while
 * 238 random bits cannot be. The lookup needs no constant-time comparison either: its timing could reveal a part of a hash
 * at most, and no key follows from that.
 */
export function hashCredential(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** For sessions and links: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Base 62 of a CRC-32, which always fits in six characters (62^6 > 2^32). */
function checksum(random: string): string {
  let rest = Bun.hash.crc32(random);
  let text = "";
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet.charAt(rest % alphabet.length) + text;
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

function randomCharacters(length: number): string {
  // Bytes from 248 on are discarded: 248 = 4 × 62, so every character is equally likely.
  const fair = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}
