import { networkOf } from "../access/address-meter.ts";
import type { Session } from "../access/sessions.ts";
import { errorTable, type Failure } from "../domain/errors.ts";
import type { PortalCall, PortalParts } from "./route.ts";

/** So that the log knows every `request_id` that a person was given with a failure, and whose it was. */
export function observePortalFailure(
  { observe }: Pick<PortalParts, "observe">,
  { requestId, routeName: route, address }: PortalCall,
  failure: Failure,
  session: Session | null,
): void {
  const { code } = failure;
  // Nobody was refused, and nobody reads the answer.
  if (code === "CLIENT_GONE") return;
  const { status } = errorTable[code];
  const caller = session && { userId: session.user.id };
  if (status >= 500) observe({ kind: "request_failed", requestId, ...caller, route, cause: failure });
  else
    observe({
      kind: "request_refused",
      requestId,
      ...(caller ?? { network: networkOf(address()) }),
      route,
      status,
      code,
    });
}
