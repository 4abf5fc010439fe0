/** What separates a scheme or a name of a host from what follows it; some mail programs take other dots for the usual one. */
const linkParts = /:(?=\/\/)|[.\u3002\uff0e\uff61](?=\p{L})/gu;

/** A subject that is longer is cut off by mail programs: our own words must not be all that is left, nor the other way round. */
const maxNameLength = 60;

/**
 * A text that people chose, as a mail shows it. Mails go out in the operator's name, so no text of an account's owner may become
 * a link there: a space is put in where a mail program would see one. Numbers stay as they are.
 */
export function unlinked(text: string): string {
  return text.replace(linkParts, (found) => `${found} `);
}

/** A name as a subject or a sentence has room for it: one line, of some length, without links. */
export function shownName(name: string): string {
  const line = unlinked(name).replace(/\s+/g, " ").trim();
  return line.length > maxNameLength ? `${line.slice(0, maxNameLength - 1).trimEnd()}…` : line;
}
