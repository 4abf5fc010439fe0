import { Failure } from "../domain/errors.ts";
import { emailKey } from "../domain/text/email.ts";
import type { Reader } from "../store/database.ts";
import { type UserRow, usersByEmail } from "../store/fleet/users.ts";

export async function knownUser(reader: Reader, email: string): Promise<UserRow> {
  const found = await usersByEmail(reader, [email]);
  const user = found.find(({ email_key }) => email_key === emailKey(email)) ?? found[0];
  if (!user) throw new Failure("NOT_FOUND", `there is no user with the e-mail ${email}`);
  return user;
}

export async function activeUser(reader: Reader, email: string): Promise<UserRow> {
  const user = await knownUser(reader, email);
  if (user.status !== "active") throw new Failure("FORBIDDEN", `the user ${email} is disabled`);
  return user;
}
