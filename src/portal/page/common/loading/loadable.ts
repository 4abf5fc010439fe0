import { type ComponentType, lazy } from "react";
import { PortalError } from "../../api/request.ts";

/** A component that is loaded when it is first shown. If that fails, the server is away. */
export function loadable<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() =>
    load().catch(() => {
      throw new PortalError(0, "UNREACHABLE");
    }),
  );
}
