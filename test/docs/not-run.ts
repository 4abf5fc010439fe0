import type { Block } from "./blocks.ts";

interface NotRun {
  readonly page: string;
  /** How the block begins: enough of it to be the only one on its page. */
  readonly begins: string;
  readonly reason: string;
}

/** Every block that no test runs or compares, and why. */
export const notRun: readonly NotRun[] = [
  { page: "README.md", begins: "npm start", reason: "test/cli/demo.test.ts runs the demo; the other is this very run" },
  { page: "CONTRIBUTING.md", begins: "DATABASE_URL_TEST=", reason: "runs all tests, this one included" },
  { page: "CONTRIBUTING.md", begins: "ODOGRAPH_TEST_BROWSER=", reason: "runs other tests" },
  {
    page: "docs/ingest.md",
    begins: "export ODOGRAPH_MQTT=",
    reason: "a broker elsewhere; test/ingest/mqtt-program.test.ts has one",
  },
  { page: "docs/ingest.md", begins: "<entry key='forward.type'>", reason: "of Traccar's own configuration" },
  { page: "docs/ingest.md", begins: "<entry key='event.forward", reason: "of Traccar's own configuration" },
  { page: "docs/performance.md", begins: "bun bench/", reason: "minutes of load" },
];

export function isNotRun({ page, text }: Block): boolean {
  return notRun.some((entry) => entry.page === page && text.startsWith(entry.begins));
}
