import { useCallback, useEffect, useState } from "react";
import { send } from "../api/request.ts";

/** What a form is about to send. */
interface PlannedRequest {
  readonly method: "POST" | "PUT";
  /** Under /portal/api. */
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
