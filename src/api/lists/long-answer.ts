import { tooManyLongAnswers } from "../refusals.ts";
import type { RouteCall } from "../route.ts";

/** An answer that is made while it is sent: it takes a place until it is read, or is refused if there is none. */
export async function longAnswer(
  { kept, caller, visibility }: Pick<RouteCall, "kept" | "caller" | "visibility">,
  nextPart: () => Promise<Uint8Array | null>,
): Promise<ReadableStream<Uint8Array>> {
  const place = await kept.streams.enter({ caller, accountId: visibility.accountId });
  if (typeof place === "string") throw tooManyLongAnswers(place);
  return place.body(nextPart);
}
