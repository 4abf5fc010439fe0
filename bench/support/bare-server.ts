/**
 * The best that the runtime can do: it answers with our status, headers and bytes without looking at the request. It reads
 * them as JSON from the file that its first argument names.
 */
interface Canned {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const canned = (await Bun.file(process.argv[2] ?? "").json()) as Canned;
const bytes = canned.body === null ? null : new TextEncoder().encode(canned.body);
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => new Response(bytes, { status: canned.status, headers: canned.headers }),
});
console.log(`listening ${server.url.origin}`);
