import { samplerNames } from "../../observe/traces.ts";
import { maskedAddress, readHttpUrl, type SettingDefinition } from "./setting.ts";

const pairsExpected = "name=value pairs separated by commas, with %2C for a comma in a value";

/**
 * Traces are configured by OpenTelemetry's own variables, which an operator knows from other programs. They have no flags.
 * The exporter reads further ones, such as for a certificate or for compression.
 */
export const tracingTable = {
  otlpEndpoint: {
    environment: "OTEL_EXPORTER_OTLP_ENDPOINT",
    placeholder: "URL",
    help: "OpenTelemetry collector to send traces to, over HTTP; without it there are none",
    read: readHttpUrl,
    expected: "an http:// or https:// address, such as http://127.0.0.1:4318",
    shown: maskedAddress,
  },
  otlpTracesEndpoint: {
    environment: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    placeholder: "URL",
    help: "the same with the path, such as http://127.0.0.1:4318/v1/traces",
    read: readHttpUrl,
    expected: "an http:// or https:// address",
    shown: maskedAddress,
  },
  otlpHeaders: {
    environment: "OTEL_EXPORTER_OTLP_HEADERS",
    placeholder: "PAIRS",
    help: "headers for the collector, such as authorization=Bearer%20TOKEN",
    read: readPairs,
    expected: pairsExpected,
    shown: () => "***",
  },
  otelServiceName: {
    environment: "OTEL_SERVICE_NAME",
    placeholder: "NAME",
    help: "what traces call this service",
    defaultText: "odograph",
    read: (text) => text,
    expected: "a name",
  },
  otelResource: {
    environment: "OTEL_RESOURCE_ATTRIBUTES",
    placeholder: "PAIRS",
    help: "what traces say of this server, such as deployment.environment.name=production",
    read: readPairs,
    expected: pairsExpected,
  },
  otelSampler: {
    environment: "OTEL_TRACES_SAMPLER",
    placeholder: "NAME",
    help: "which requests are traced: parentbased_traceidratio takes a share",
    defaultText: "parentbased_always_on",
    read: (text) => samplerNames.find((name) => name === text) ?? null,
    expected: `one of ${samplerNames.join(", ")}`,
  },
  otelSamplerArg: {
    environment: "OTEL_TRACES_SAMPLER_ARG",
    placeholder: "SHARE",
    help: "that share, from 0 to 1",
    defaultText: "1",
    read: (text) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? Number(text) : null),
    expected: "a share from 0 to 1, such as 0.1",
  },
  otelDisabled: {
    environment: "OTEL_SDK_DISABLED",
    placeholder: "BOOLEAN",
    help: "true: no traces, whatever else is set",
    defaultText: "false",
    read: (text) => text.toLowerCase() === "true",
    expected: "true or false",
  },
} as const satisfies Record<string, SettingDefinition>;

/** In the form of W3C baggage. */
function readPairs(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(",").map((pair) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/s.exec(pair));
  if (!pairs.every((pair) => pair !== null)) return null;
  try {
    return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decodeURIComponent(value)]));
  } catch {
    return null;
  }
}
