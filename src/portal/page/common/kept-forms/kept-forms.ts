import { onSignedOut } from "../../api/request.ts";

/**
 * What people have typed and not stored, in the tab's own storage: a session that ends, or a page that is loaded again, must not
 * lose it. By person and form. A form that is closed is dropped, and so is one that is a day old. No passwords and no keys: a
 * form keeps those in a state of its own.
 */
const prefix = "odograph-form ";

/** Nobody remembers what an older one was about. */
const maxAgeMs = 24 * 3_600_000;

let isSessionOver = false;

onSignedOut(() => {
  isSessionOver = true;
});

/** Whether forms go because the session does, and not because a person has closed them. */
export function isKeptForLater(): boolean {
  return isSessionOver;
}

export function noteSignedIn(): void {
  isSessionOver = false;
}

/** Undefined: nothing of it is kept. */
export function keptForm(userId: string, form: string): unknown {
  return read(keyOf(userId, form));
}

function read(key: string): unknown {
  try {
    const { at, value } = JSON.parse(sessionStorage.getItem(key) ?? "", revive);
    return Date.now() - at < maxAgeMs ? value : undefined;
  } catch {
    // Nothing is there, or nothing that can be read, or the browser has no storage.
    return undefined;
  }
}

export function keepForm(userId: string, form: string, value: unknown): void {
  try {
    sessionStorage.setItem(keyOf(userId, form), JSON.stringify({ at: Date.now(), value }, replace));
  } catch {
    // The storage is full or switched off: then it is as it was without.
  }
}

export function dropForm(userId: string, form: string): void {
  drop((key) => key === keyOf(userId, form));
}

/** At a sign-in: what others have typed goes, and what is too old. After signing out on purpose (null), all of it. */
export function dropFormsOfOthers(userId: string | null): void {
  const isOwn = (key: string) => userId !== null && key.startsWith(keyOf(userId, "")) && read(key) !== undefined;
  drop((key) => key.startsWith(prefix) && !isOwn(key));
}

function drop(isMeant: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (isMeant(key)) sessionStorage.removeItem(key);
  } catch {
    // No storage.
  }
}

function keyOf(userId: string, form: string): string {
  return `${prefix}${userId} ${form}`;
}

/** Sets and maps, of which forms have some, as JSON. */
function replace(_: string, value: unknown): unknown {
  if (value instanceof Set) return { "\u0000set": [...value] };
  return value instanceof Map ? { "\u0000map": [...value] } : value;
}

function revive(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("\u0000set" in value) return new Set(value["\u0000set"] as unknown[]);
  return "\u0000map" in value ? new Map(value["\u0000map"] as [unknown, unknown][]) : value;
}
