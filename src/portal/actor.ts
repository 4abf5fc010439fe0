import type { Actor } from "../domain/audit.ts";
import type { SignedIn } from "./route.ts";

/** Who is said to have done what a call does. */
export function actorOf({ session }: Pick<SignedIn, "session">): Actor {
  return { kind: "user", id: session.user.id };
}
