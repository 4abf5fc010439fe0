import { parseArgs } from "node:util";

export interface Options {
  readonly before: string;
  readonly after: string;
  readonly engine: "sqlite" | "postgres";
  readonly requests: number;
  readonly seed: number;
  readonly vehicles: number;
  readonly messagesMayDiffer: boolean;
}

export const help = `Shows that two versions of the program give the same answers, byte for byte.

  node_modules/.bin/bun bench/same-answers/main.ts --before DIR [--after DIR] [options]

Both versions run on fresh stores, with one clock and the same random numbers. They get the same fleet, the same messages on
the ingest port and the same requests, one after the other. Exit code 1 means that something differs.

  --before DIR            a checkout of the version to compare with, with its packages installed
  --after DIR             a checkout of the other version (default: the one that this file is in)
  --engine ENGINE         sqlite (default) or postgres (DATABASE_URL_TEST names a server; else one is started)
  --requests N            random requests to the API and the portal (default: 10000)
  --vehicles N            size of the simulated fleet (default: 8)
  --seed N                another seed is another fleet and other requests (default: a random one, which is printed)
  --messages-may-differ   different words in an error's message are shown, and are no reason for exit code 1
  --help                  prints this`;

/** Null if help is asked for. */
export function readOptions(words: readonly string[], root: string): Options | null {
  const { values } = parseArgs({
    args: [...words],
    options: {
      before: { type: "string" },
      after: { type: "string", default: root },
      engine: { type: "string", default: "sqlite" },
      requests: { type: "string", default: "10000" },
      vehicles: { type: "string", default: "8" },
      seed: { type: "string" },
      "messages-may-differ": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const { before, after, engine } = values;
  if (before === undefined) throw new Error("--before must name a checkout of the version to compare with");
  if (engine !== "sqlite" && engine !== "postgres")
    throw new Error(`--engine must be sqlite or postgres, not ${engine}`);
  return {
    before,
    after,
    engine,
    requests: wholeNumber("requests", values.requests, 0),
    vehicles: wholeNumber("vehicles", values.vehicles, 2),
    seed: values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : wholeNumber("seed", values.seed, 0),
    messagesMayDiffer: values["messages-may-differ"],
  };
}

function wholeNumber(name: string, text: string, min: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) throw new Error(`--${name} must be a whole number of at least ${min}, not ${text}`);
  return value;
}
