import { useCallback, useEffect, useState } from "react";
import type { Effect } from "../../records/portal-records.ts";
import { PortalError, send } from "../api/request.ts";

/** What a form is about to send. */
export interface PendingEdit {
  readonly method: "POST" | "PUT";
  /** Under /portal/api, such as `/fleet/devices`. */
  readonly path: string;
  /** The revision that the person has seen; null: the record is new; none: the fields are no record, and sent as they are. */
  readonly revision: number | null | "none";
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What somebody else has stored in the meantime. */
export interface Conflict {
  readonly current: Readonly<Record<string, unknown>>;
  readonly revision: number;
}

/**
 * Says what an edit would concern while somebody makes it, then saves it. Null: nothing to save, as long as nothing has
 * changed.
 */
export function useEdit<Saved>(pending: PendingEdit | null) {
  const { preview, error, fail } = usePreview<{ readonly effect: Effect }>(pending && requestOf(pending));
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [isSaving, setSaving] = useState(false);
  /** Null: it was refused. After a conflict, `revision` is that of the conflict. `also` is sent beside the fields. */
  const save = async (revision?: number, also?: Readonly<Record<string, string>>): Promise<Saved | null> => {
    if (pending === null) return null;
    setSaving(true);
    setConflict(null);
    fail(null);
    const { method, path, body } = requestOf(pending, revision);
    try {
      return (await send<{ readonly data: Saved }>(method, path, { ...body, ...also })).data;
    } catch (cause) {
      const found = conflictOf(cause);
      if (found === null) fail(cause);
      else setConflict(found);
      return null;
    } finally {
      setSaving(false);
    }
  };
  return {
    /** What saving would concern; null: not known yet, or nothing has changed. */
    effect: preview?.effect ?? null,
    isSaving,
    // A conflict of the preview matters at saving only.
    error: conflictOf(error) === null ? error : null,
    conflict,
    save,
    forgetConflict: () => setConflict(null),
  };
}

function requestOf({ method, path, fields, revision: opened }: PendingEdit, revision = opened) {
  const body = revision === "none" ? fields : revision === null ? { fields } : { revision, fields };
  return { method, path, body };
}

/** What is stored now, if the error says that somebody else was faster. */
export function conflictOf(error: unknown): Conflict | null {
  if (!(error instanceof PortalError) || error.code !== "CONFLICT") return null;
  const { current, revision } = error.details;
  if (typeof revision !== "number" || typeof current !== "object" || current === null) return null;
  return { current: current as Conflict["current"], revision };
}

/** For what is done to a record as a whole: after a conflict it is meant for what is stored now. */
export function useSeen(opened: number) {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  /** Returns whether the error is a conflict, which is then shown. */
  const take = useCallback((error: unknown) => {
    const found = conflictOf(error);
    if (found !== null) setConflict(found);
    return found !== null;
  }, []);
  const forget = useCallback(() => setConflict(null), []);
  return { revision: conflict?.revision ?? opened, conflict, take, forget };
}

interface PlannedRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: object;
}

interface Answer<Preview> {
  readonly request: string | null;
  readonly preview: Preview | null;
  /** Why the preview was refused, or the request itself. */
  readonly error: unknown;
}

const none = { request: null, preview: null, error: null };

/** A person should not see the preview jump at each letter. */
const pauseMs = 400;

/** Asks what a request would do while somebody prepares it. Null: there is nothing to send. */
export function usePreview<Preview>(planned: PlannedRequest | null) {
  const [answer, setAnswer] = useState<Answer<Preview>>(none);
  const request = planned && JSON.stringify(planned);
  const update = useCallback(
    (part: Partial<Answer<Preview>>) =>
      setAnswer((before) => ({ ...(before.request === request ? before : none), request, ...part })),
    [request],
  );
  useEffect(() => {
    if (request === null) return;
    const { method, path, body }: PlannedRequest = JSON.parse(request);
    // The server looks at one at a time: a preview that waits for its turn ends when the form has changed since.
    const outdated = new AbortController();
    const timer = setTimeout(async () => {
      const answered = await send<{ readonly data: Preview }>(
        method,
        `${path}?preview=true`,
        body,
        outdated.signal,
      ).then(
        ({ data }) => ({ preview: data }),
        (error) => ({ error }),
      );
      if (!outdated.signal.aborted) update(answered);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      outdated.abort();
    };
  }, [request, update]);
  const { preview, error } = answer.request === request ? answer : none;
  /** Says why the request itself was refused, until it is another one. */
  const fail = (error: unknown) => update({ error });
  return { preview, error, fail };
}
