import { until } from "./patience.ts";

/** "Busy, ask again": what a server says while its store or its processor has too much to do, as on a machine where others compute. */
const busy = 503;

/** Asks as a client that obeys Retry-After: again, as long as the server is busy. For requests that may be made twice. */
export async function served(ask: () => Promise<Response>): Promise<Response> {
  let response = await ask();
  if (response.status !== busy) return response;
  await until(async () => {
    await response.body?.cancel();
    response = await ask();
    return response.status !== busy;
  });
  return response;
}
