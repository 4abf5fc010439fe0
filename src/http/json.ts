/** Without a charset: some generated clients compare the whole header with the media type of the description. */
export const jsonType = "application/json";

/** An answer in JSON, of what is given or of a text that is JSON already. */
export function jsonResponse(body: object | string, { status = 200, headers = {} }: JsonAnswer = {}): Response {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "Content-Type": jsonType, ...headers } });
}

interface JsonAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
