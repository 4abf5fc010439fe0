import { hashPassword, verifyPassword } from "../../access/passwords.ts";
import type { User } from "../../domain/fleet.ts";
import type { Reader } from "../../store/database.ts";
import { usersById } from "../../store/fleet/users.ts";
import type { OnLine } from "../parse/fleet-file.ts";
import { byId, idsOf, type OnProgress } from "./context.ts";

/** Hashes run on other threads. More at once than a small machine has cores would only cost memory. */
const atOnce = 4;

/**
 * The hash for each user whose line names a password or its hash, by user id. A password that is in force already keeps its
 * hash: each hash has its own salt, so hashing it again would look like a change.
 */
export async function hashNewPasswords(
  reader: Reader,
  lines: readonly OnLine<User>[],
  onProgress: OnProgress,
): Promise<ReadonlyMap<string, string>> {
  const named = lines.flatMap(({ record: { id, password } }) => (password === null ? [] : [{ id, password }]));
  const stored = byId(await usersById(reader, idsOf(named)));
  const hashes = new Map<string, string>();
  for (const { record } of lines) if (record.passwordHash !== null) hashes.set(record.id, record.passwordHash);
  for (let start = 0; start < named.length; start += atOnce) {
    onProgress("hashing passwords", start, named.length);
    await Promise.all(
      named.slice(start, start + atOnce).map(async ({ id, password }) => {
        const before = stored.get(id)?.password_hash ?? null;
        const isSame = before !== null && (await verifyPassword(password, before));
        hashes.set(id, isSame ? before : await hashPassword(password));
      }),
    );
  }
  onProgress("hashing passwords", named.length, named.length);
  return hashes;
}
