import { type ComponentType, lazy } from "react";
import { PortalError } from "../api/request.ts";

/** How to load again what could not be loaded. */
const failed = new Set<() => void>();

/** Lets everything that could not be loaded be loaded again, when it is shown next. */
export function retryFailedLoads(): void {
  for (const retry of failed) retry();
  failed.clear();
}

/**
 * A component that is loaded when it is first shown. React's own `lazy` remembers a failure for ever: a page that was first
 * opened while the server was away would stay broken.
 */
export function loadable<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const attempt = () =>
    lazy(() =>
      load().catch(() => {
        failed.add(() => {
          Loaded = attempt();
        });
        throw new PortalError(0, "UNREACHABLE");
      }),
    );
  let Loaded: ComponentType<Props> = attempt();
  return function Loadable(props: Props) {
    return <Loaded {...props} />;
  };
}
