import type { HeaderObject, Reference } from "./types.ts";

const integer = { type: "integer", minimum: 0 } as const;
const instant = { type: "string", format: "date-time" } as const;

/** A header that is on every response it is listed for. */
function always<Example>(description: string, schema: HeaderObject["schema"], example: Example) {
  return { description, required: true, schema, example };
}

export const headers = {
  "X-RateLimit-Limit": always(
    "Requests allowed per UTC day: the key's own limit or that of all keys of the account together, whichever leaves less.",
    integer,
    50_000,
  ),
  "X-RateLimit-Remaining": always("Requests left today, of the limit in `X-RateLimit-Limit`.", integer, 49_873),
  "X-RateLimit-Reset": always("Seconds until the daily counter resets, at midnight UTC.", integer, 27_413),
  "X-RateLimit-Limit-Second": always("Requests allowed per second.", integer, 10),
  "X-RateLimit-Remaining-Second": always("Requests left in the current second.", integer, 9),
  "X-Request-Id": always(
    "Identifies the call, for support; the `request_id` of an error.",
    { type: "string", format: "uuid" },
    "0f9d2c34-6f0b-4f7e-9a55-3f1f6f2f8a10",
  ),
  ETag: always(
    "Stands for exactly this body in this encoding. Send it back as `If-None-Match`; while the body is the same, the answer " +
      "is 304, whichever encoding the tag is of.",
    { type: "string" },
    '"mZ0nq3R1cO8bX2u5v7KdLA"',
  ),
  "X-Window-From": always("Start of the window that was read, included.", instant, "2026-03-17T00:00:00.000Z"),
  "X-Window-To": always("End of the window that was read, not included.", instant, "2026-03-18T00:00:00.000Z"),
  "X-Window-Clamped": {
    description:
      "`true` where the window was longer than allowed, so that its beginning was moved forward; else absent.",
    required: false,
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
  Link: {
    description:
      'The next page, with `rel="next"`; absent on the last one. Its address is relative to that of the request, and holds ' +
      '`cursor`, and `format` if the request named it. To a request with a deprecated parameter: with `rel="successor-version"`, ' +
      "what to call instead.",
    required: false,
    schema: { type: "string" },
    example: '<devices?cursor=eyJ2IjoxfQ.c2lnbmF0dXJl>; rel="next"',
  },
  "X-Ignored-Parameters": {
    description:
      "The parameters of the request that this operation does not have, and so has ignored: in their order, at most 10, " +
      "percent-encoded where needed, with commas between them. Absent if there are none.",
    required: false,
    schema: { type: "string" },
    example: "device, type",
  },
  "X-Resume-After": {
    description: "`resume_after`, in a format that has no place for it; absent in JSON.",
    required: false,
    schema: { type: "string" },
    example: "Vb0w7Lk2sTn5uQe1xJdR4gQ2xhaw1c9mZ8Jr0cVd1qk",
  },
  "Retry-After": always("Seconds to wait before the next call.", integer, 1),
  "WWW-Authenticate": always("The scheme that a key may be sent with.", { type: "string" }, 'Bearer realm="odograph"'),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof headers;

/** On every response, errors and 304 included. */
const common = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Limit-Second",
  "X-RateLimit-Remaining-Second",
  "X-Request-Id",
] as const satisfies HeaderName[];

export function headersWith(...names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries([...names, ...common].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
