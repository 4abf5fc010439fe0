import type { ApiWorld } from "../support/api-fleet.ts";

export interface ServedWorld {
  /** Where the API is, with its version. */
  readonly url: string;
  /** The requests that came in, in order. */
  readonly requests: Request[];
  stop(): Promise<void>;
}

/** The little world behind a socket. `instead` may answer in its place, as a proxy that is in trouble does. */
export function servedWorld({ api }: ApiWorld, instead: (count: number) => Response | null = () => null): ServedWorld {
  const requests: Request[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      requests.push(request);
      return instead(requests.length) ?? api.api.answer(request, () => "127.0.0.1");
    },
  });
  return { url: `${server.url.origin}/v1`, requests, stop: () => server.stop(true) };
}
