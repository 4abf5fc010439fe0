import { useCallback, useEffect, useState } from "react";
import type { Effect } from "../api/portal-records.ts";
import { PortalError, send } from "../api/request.ts";

/** What a form is about to send. */
export interface PendingEdit {
  readonly method: "POST" | "PUT";
  /** Under /portal/api, such as `/fleet/devices`. */
  readonly path: string;
  /** The revision that the person has seen; null: the record is new; none: the fields are no record, and sent as they are. */
  readonly revision: number | null | "none";
  /** The fields that change. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What somebody else has stored in the meantime. */
export interface Conflict {
  readonly current: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

export interface Editing<Saved> {
  /** What saving would concern; null: not known yet, or nothing has changed. */
  readonly effect: Effect | null;
  readonly isSaving: boolean;
  /** What was refused, by the preview or by saving. */
  readonly error: unknown;
  readonly conflict: Conflict | null;
  /** Null: it was refused. After a conflict, `revision` is that of the conflict. `also` is sent beside the fields. */
  readonly save: (revision?: number, also?: Readonly<Record<string, string>>) => Promise<Saved | null>;
  readonly forgetConflict: () => void;
}

/** A person should not see the effect jump at each letter. */
const pauseMs = 400;

/**
 * Says what an edit would concern while somebody makes it, then saves it. Null: nothing to save, as long as nothing has
 * changed.
 */
export function useEdit<Saved>(pending: PendingEdit | null): Editing<Saved> {
  const [effect, setEffect] = useState<Effect | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isSaving, setSaving] = useState(false);
  const text = JSON.stringify(pending);
  useEffect(() => {
    setEffect(null);
    setError(null);
    const edit = JSON.parse(text) as PendingEdit | null;
    if (edit === null) return;
    // The server looks at one at a time: a preview that waits for its turn ends when the form has changed since.
    const outdated = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { data } = await preview(edit, outdated.signal);
        if (!outdated.signal.aborted) setEffect(data.effect);
      } catch (cause) {
        // A conflict is told when it matters: at saving.
        if (!outdated.signal.aborted && conflictOf(cause) === null) setError(cause);
      }
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [text]);
  const save = useCallback(
    async (revision?: number, also: Readonly<Record<string, string>> = {}): Promise<Saved | null> => {
      const edit = JSON.parse(text) as PendingEdit | null;
      if (edit === null) return null;
      setSaving(true);
      setError(null);
      setConflict(null);
      try {
        return (await sendEdit<{ readonly data: Saved }>(edit, revision ?? edit.revision, also)).data;
      } catch (cause) {
        const found = conflictOf(cause);
        if (found === null) setError(cause);
        else setConflict(found);
        return null;
      } finally {
        setSaving(false);
      }
    },
    [text],
  );
  const forgetConflict = useCallback(() => setConflict(null), []);
  return { effect, isSaving, error, conflict, save, forgetConflict };
}

function sendEdit<T>(
  { method, path, fields }: PendingEdit,
  revision: PendingEdit["revision"],
  also: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<T> {
  const record = revision === "none" ? fields : revision === null ? { fields } : { revision, fields };
  const body = { ...record, ...also };
  return send<T>(method, path, body, signal);
}

function preview(edit: PendingEdit, signal: AbortSignal): Promise<{ readonly data: { readonly effect: Effect } }> {
  return sendEdit({ ...edit, path: `${edit.path}?preview=true` }, edit.revision, {}, signal);
}

/** What is stored now, if the error says that somebody else was faster. */
export function conflictOf(error: unknown): Conflict | null {
  if (!(error instanceof PortalError) || error.code !== "CONFLICT") return null;
  const { current, revision } = error.details;
  if (typeof revision !== "number" || typeof current !== "object" || current === null) return null;
  return { current: current as Conflict["current"], revision };
}
