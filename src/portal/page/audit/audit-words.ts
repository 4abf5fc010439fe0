import type { AuditRecord } from "../../both-sides/contract/audit.ts";
import type { AdministrationTexts } from "../../both-sides/texts/texts.ts";

type Words = AdministrationTexts["audit"];

/** What was done. An action that this page does not know yet is shown as the server names it. Pure. */
export function actionWords({ action }: AuditRecord, words: Words): string {
  const known: Readonly<Record<string, string>> = words.actions;
  return known[action] ?? action;
}

/** Who did it. A person who was erased has only an id. Pure. */
export function actorWords({ actor }: AuditRecord, words: Words): string {
  if (actor.kind === "command") return words.atServer;
  if (actor.kind === "file") return words.byFile;
  if (actor.kind === "stranger") return words.stranger;
  return actor.name === null ? shortId(actor.id ?? "") : marked(actor.name, actor.is_removed, words);
}

/** To what it was done; null where that says nothing: there is one account, and most do things with what is theirs. Pure. */
export function recordWords({ type, id, name, is_removed, actor }: AuditRecord, words: Words): string | null {
  if (type === "account" || type === "fleet" || id === actor.id) return null;
  if (name !== null) return marked(name, is_removed, words);
  if (type === "alert_settings" && id === "all") return words.all;
  if (type === "alert_settings" && id.startsWith("tag:")) return words.tag(id.slice("tag:".length));
  return shortId(id);
}

/** A name of something that is in no list any more says so. Pure. */
export function marked(name: string, isRemoved: boolean, words: Words): string {
  return isRemoved ? words.removedName(name) : name;
}

/** What else the entry says; `rulesIn` words the rules in it. Pure. */
export function detailWords(
  { details }: AuditRecord,
  words: Words,
  rulesIn: (text: string) => string,
): readonly string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    const text = [value].flat().join(", ");
    // The id of a session is in the download; here it would only be in the way.
    if (name === "session") return [];
    if (name === "from" || name === "to") return [];
    if (name === "fields")
      return words.changed(
        [value]
          .flat()
          .map(changeWords(details, words, rulesIn))
          .join(", "),
      );
    if (name === "count") return words.sessionCount(text);
    if (name === "via") return words.via[text] ?? text;
    if (name === "purpose") return words.purposes[text] ?? text;
    if (name === "vehicles") return words.shared([value].flat().length);
    if (name === "until") return words.until(`${text.slice(0, 16).replace("T", " ")} UTC`);
    if (name === "reason") return words.ends[text] ?? text;
    const count = words.counts[name];
    return `${count ?? name.replaceAll("_", " ")}: ${text}`;
  });
}

/** A field, and what it was and is, as far as the log holds that. */
function changeWords({ from = [], to = [] }: AuditRecord["details"], words: Words, rulesIn: (text: string) => string) {
  const [before, after] = [[from].flat(), [to].flat()];
  const valueIn = (field: string | number, value: string | number) =>
    field === "rules" ? rulesIn(String(value)) : value;
  return (field: string | number, index: number): string => {
    const name = words.fields[field] ?? String(field);
    const [old, now] = [before[index] ?? "", after[index] ?? ""];
    if (old === "" && now === "") return name;
    return `${name} ${valueIn(field, old) || "–"} → ${valueIn(field, now) || "–"}`;
  };
}

/** Enough to tell two of them apart. */
function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}
