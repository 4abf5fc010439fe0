import { afterEach, describe, expect, test } from "bun:test";
import { Failure } from "../../src/domain/errors.ts";
import type { Observation } from "../../src/observe/observation.ts";
import type { Tracing, TracingSettings } from "../../src/observe/traces.ts";
import { createTracing } from "../../src/observe/tracing.ts";
import { scaledMs, until } from "../support/patience.ts";
import { startTraceCollector, type TraceCollector } from "../support/trace-collector.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** So many spans are sent at once; fewer wait for a while. */
const batch = 512;

async function tracingTo(
  collector: TraceCollector,
  more: Partial<TracingSettings> = {},
): Promise<{ readonly tracing: Tracing; readonly observed: Observation[] }> {
  const observed: Observation[] = [];
  const settings: TracingSettings = {
    url: `${collector.url}/v1/traces`,
    headers: {},
    resource: {},
    serviceName: "odograph",
    sampler: "parentbased_always_on",
    ratio: 1,
    ...more,
  };
  const tracing = createTracing(settings, (observation) => observed.push(observation));
  return { tracing, observed };
}

function collect(): TraceCollector {
  const collector = startTraceCollector();
  ends.push(() => collector.stop());
  return collector;
}

/** A request as a server answers it. */
async function answer(tracing: Tracing, request: Request, ...observations: readonly Observation[]): Promise<void> {
  await tracing.around(request, async () => {
    // In another turn: what belongs to a request is not known by the order of calls.
    await Promise.resolve();
    for (const observation of observations) tracing.observe(observation);
    return new Response();
  });
}

const request = () => new Request("http://localhost/v1/devices/7?token=hunter2");
const answered = (status = 200): Observation => ({
  ...{ kind: "request_answered", requestId: "r1", keyId: "k1", route: "/devices/{device_id}", status, durationMs: 1 },
});

async function answerMany(tracing: Tracing): Promise<void> {
  await Promise.all(Array.from({ length: batch }, () => answer(tracing, request(), answered())));
}

describe("traces", () => {
  test("name a request by its route, and never by its path, query or address", async () => {
    const collector = collect();
    const { tracing } = await tracingTo(collector, {
      headers: { authorization: "Bearer of-a-test" },
      resource: { "deployment.environment.name": "test" },
      serviceName: "fleet",
    });
    await answer(tracing, request(), answered());
    await tracing.close();
    expect(collector.requests).toEqual([{ path: "/v1/traces", authorization: "Bearer of-a-test" }]);
    const [span] = collector.spans;
    expect(span).toMatchObject({ name: "GET /devices/{device_id}", kind: 2, parentSpanId: "", status: 0 });
    expect(span?.attributes).toEqual({
      "http.request.method": "GET",
      "http.route": "/devices/{device_id}",
      "http.response.status_code": 200,
      "odograph.request_id": "r1",
      "odograph.key_id": "k1",
    });
    expect(span?.resource).toMatchObject({
      "service.name": "fleet",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+$/),
      "deployment.environment.name": "test",
    });
    expect(JSON.stringify(collector.spans)).not.toContain("hunter2");
  });

  test("go on with the caller's trace, and tell two requests at the same time apart", async () => {
    const collector = collect();
    const { tracing } = await tracingTo(collector);
    const [trace, parent] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
    const ofCaller = (flags: string) =>
      new Request("http://localhost/", { headers: { traceparent: `00-${trace}-${parent}-${flags}` } });
    const seen: (string | null)[] = [];
    await Promise.all([
      tracing.around(ofCaller("01"), async () => {
        await Bun.sleep(1);
        seen.push(tracing.traceId());
        tracing.observe(answered());
        return new Response();
      }),
      answer(tracing, request(), answered()),
      // Its caller has decided that nobody wants to see it.
      answer(tracing, ofCaller("00"), answered()),
    ]);
    await tracing.close();
    expect(seen).toEqual([trace]);
    expect(tracing.traceId()).toBeNull();
    expect(collector.spans.map(({ traceId, parentSpanId }) => [traceId === trace, parentSpanId]).toSorted()).toEqual([
      [false, ""],
      [true, parent],
    ]);
  });

  test("are errors where the server failed, and not where it refused", async () => {
    const collector = collect();
    const { tracing } = await tracingTo(collector);
    const failure = new Failure("STORE_UNREACHABLE", "PostgreSQL does not answer");
    const of = { requestId: "r1", route: "/trips" };
    await answer(tracing, request(), { kind: "request_failed", ...of, cause: failure }, answered(503));
    await answer(tracing, request(), { kind: "request_failed", ...of, cause: new Error("hunter2") }, answered(500));
    const refused = { kind: "request_refused", ...of, status: 404, code: "NOT_FOUND" } as const;
    await answer(tracing, request(), refused, answered(404));
    const thrown = tracing.around(request(), async () => {
      throw new Error("unexpected");
    });
    await expect(thrown).rejects.toThrow("unexpected");
    // An answer without an observation, as to a health check, has no span.
    await answer(tracing, request());
    await tracing.close();
    expect(collector.spans.map(({ name, status }) => [name, status])).toEqual([
      ["GET /devices/{device_id}", 2],
      ["GET /devices/{device_id}", 2],
      ["GET /devices/{device_id}", 0],
      ["GET", 2],
    ]);
    expect(collector.spans.map(({ attributes }) => attributes["error.type"])).toEqual([
      "STORE_UNREACHABLE",
      "INTERNAL",
      undefined,
      undefined,
    ]);
    expect(collector.spans[2]?.attributes["odograph.error_code"]).toBe("NOT_FOUND");
    expect(JSON.stringify(collector.spans)).not.toContain("hunter2");
  });

  test("are taken as the sampler says", async () => {
    const share = async (more: Partial<TracingSettings>) => {
      const collector = collect();
      const { tracing } = await tracingTo(collector, more);
      for (let count = 0; count < 400; count++) await answer(tracing, request(), answered());
      await tracing.close();
      return collector.spans.length;
    };
    expect(await share({ sampler: "always_off" })).toBe(0);
    const [some, all] = [await share({ sampler: "parentbased_traceidratio", ratio: 0.25 }), await share({})];
    expect(all).toBe(400);
    // Six standard deviations.
    expect(some).toBeGreaterThan(48);
    expect(some).toBeLessThan(152);
  });

  test("that a collector refuses are reported once, until it takes them again", async () => {
    const collector = collect();
    const { tracing, observed } = await tracingTo(collector);
    collector.status = 401;
    await answerMany(tracing);
    await until(() => observed.length > 0);
    await answerMany(tracing);
    await collector.requested(2);
    collector.status = 200;
    await answerMany(tracing);
    await until(() => collector.spans.length >= batch);
    const failed = { kind: "traces_not_sent", spans: batch, reason: "the collector answered 401" } as const;
    expect(observed).toEqual([failed]);
    collector.status = 401;
    await answerMany(tracing);
    await until(() => observed.length === 2);
    await tracing.close();
    expect(observed).toEqual([failed, failed]);
  });

  test("that a collector never takes delay neither a request nor the end", async () => {
    const collector = collect();
    const { tracing } = await tracingTo(collector);
    collector.status = null;
    // More than the queue holds.
    for (let count = 0; count < 8; count++) await answerMany(tracing);
    await collector.requested(1);
    const began = performance.now();
    await tracing.close();
    expect(performance.now() - began).toBeLessThan(scaledMs(5_000));
  });
});
