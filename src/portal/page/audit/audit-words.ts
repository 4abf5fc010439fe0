import type { AdministrationTexts } from "../texts/administration-texts.ts";
import type { AuditEntry } from "./audit-records.ts";

type Words = AdministrationTexts["audit"];

/** What was done. An action that this page does not know yet is shown as the server names it. Pure. */
export function actionWords({ action }: AuditEntry, words: Words): string {
  const known: Readonly<Record<string, string>> = words.actions;
  return known[action] ?? action;
}

/** Who did it. Somebody who was removed has only an id. Pure. */
export function actorWords({ actor }: AuditEntry, words: Words): string {
  if (actor.kind === "command") return words.atServer;
  if (actor.kind === "file") return words.byFile;
  return actor.name ?? shortId(actor.id ?? "");
}

/** To what it was done; null where that says nothing: there is one account, and a session has no name. Pure. */
export function recordWords({ type, id, name }: AuditEntry, words: Words): string | null {
  if (["account", "fleet", "session"].includes(type)) return null;
  if (name !== null) return name;
  if (type === "alert_settings" && id === "all") return words.all;
  if (type === "alert_settings" && id.startsWith("tag:")) return words.tag(id.slice("tag:".length));
  return shortId(id);
}

/** What else the entry says. Pure. */
export function detailWords({ details }: AuditEntry, words: Words): readonly string[] {
  return Object.entries(details).map(([name, value]) => {
    if (name === "fields") return words.changed([value].flat().map(fieldWords(words)).join(", "));
    const count = words.counts[name];
    if (count !== undefined) return `${count}: ${value}`;
    return `${name.replaceAll("_", " ")}: ${[value].flat().join(", ")}`;
  });
}

function fieldWords(words: Words): (field: string | number) => string {
  return (field) => words.fields[field] ?? String(field);
}

/** Enough to tell two of them apart. */
function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}
