import { LoadingState } from "./empty-state.tsx";
import { ErrorNotice } from "./notice.tsx";
import type { Loading } from "./use-load.ts";

/** Why there is nothing to show yet, or nothing new. */
export function LoadState({ loaded, reload }: Pick<Loading<unknown>, "loaded" | "reload">) {
  if (loaded.state === "failed") return <ErrorNotice error={loaded.error} retry={reload} />;
  return loaded.state === "loading" && loaded.data === null ? <LoadingState /> : null;
}
