import { describe, expect, test } from "bun:test";
import { effectiveSettings, readSettings } from "../../src/cli/settings.ts";

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };
const tracing = (environment: Record<string, string>) => readSettings({}, environment).tracing;

describe("the settings of traces", () => {
  test("are OpenTelemetry's own variables", () => {
    expect(tracing({})).toBeNull();
    expect(tracing(collector)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      resource: {},
      serviceName: "odograph",
      sampler: "parentbased_always_on",
      ratio: 1,
    });
    expect(tracing({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://a.example/otlp" })?.url).toBe(
      "https://a.example/otlp",
    );
    expect(
      tracing({
        ...collector,
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi=, x-scope = a%2Cb",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production",
        OTEL_SERVICE_NAME: "fleet",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
      }),
    ).toMatchObject({
      headers: { authorization: "Basic YTpi=", "x-scope": "a,b" },
      resource: { "deployment.environment.name": "production" },
      serviceName: "fleet",
      sampler: "traceidratio",
      ratio: 0.1,
    });
    expect(tracing({ ...collector, OTEL_SDK_DISABLED: "true" })).toBeNull();
  });

  test("are refused if they are wrong, without repeating a secret", () => {
    for (const [name, value] of [
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:hunter2@4318"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
      ["OTEL_EXPORTER_OTLP_HEADERS", "a=hunter2%"],
      ["OTEL_TRACES_SAMPLER", "sometimes"],
      ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ] as const) {
      const read = () => tracing({ ...collector, [name]: value });
      expect(read).toThrow(`${name}: expected `);
      expect(read).not.toThrow("hunter2");
    }
  });

  test("are shown, and what may be a secret is masked", () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:hunter2@collector:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=hunter2",
      OTEL_SERVICE_NAME: "fleet",
    };
    const shown = effectiveSettings({}, environment);
    const of = (name: string) => shown.find((setting) => setting.name === name)?.shown;
    expect([of("otlpEndpoint"), of("otlpHeaders"), of("otelServiceName")]).toEqual([
      "http://me:***@collector:4318",
      "***",
      "fleet",
    ]);
  });
});
