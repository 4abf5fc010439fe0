import { z } from "zod";
import { type PreferenceName, type Preferences, preferenceChoices } from "../../domain/preferences.ts";
import { preferencesOf, savePreferences } from "../../store/fleet/preferences.ts";
import type { Language } from "../both-sides/texts/texts.ts";
import { browserLanguage } from "../browser-language.ts";
import { readCheckedBody } from "../read-body.ts";
import { portalRoute, type SignedInCall } from "../route.ts";

function oneOf<Name extends PreferenceName>(name: Name) {
  const choices = preferenceChoices[name];
  const error = `expected ${choices.map((choice) => `"${choice}"`).join(", ")} or null`;
  return z
    .enum(choices as readonly string[], { error })
    .nullable()
    .default(null);
}

const names = Object.keys(preferenceChoices) as PreferenceName[];
const choices = z.object(Object.fromEntries(names.map((name) => [name, oneOf(name)])));

/** What the person chose, and what the owner chose for everybody. What is left out is not chosen. */
export const choosePreferences = portalRoute("PUT /preferences", "signed in", (call) =>
  choose(call, call.session.user.id),
);

export const chooseAccountPreferences = portalRoute("PUT /account/preferences", "owner", (call) =>
  choose(call, call.session.account.id),
);

async function choose(call: SignedInCall<Partial<Preferences>>, whose: string) {
  const chosen = readCheckedBody(call, choices) as Preferences;
  const { accountId } = call.session.visibility;
  await call.parts.database.transaction((tx) => savePreferences(tx, accountId, whose, chosen));
  return { body: { data: await bothPreferences(call) } };
}

export async function bothPreferences({ parts, session }: Pick<SignedInCall, "parts" | "session">) {
  const { accountId } = session.visibility;
  const [own, account] = await Promise.all([
    preferencesOf(parts.database, accountId, session.user.id),
    preferencesOf(parts.database, accountId, session.account.id),
  ]);
  return { own, account };
}

/** In which the person reads the portal now. */
export async function callerLanguage(call: SignedInCall): Promise<Language> {
  const { own, account } = await bothPreferences(call);
  return own.language ?? account.language ?? browserLanguage(call.request.headers) ?? "en";
}
