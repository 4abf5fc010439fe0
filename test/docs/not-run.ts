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
  { page: "README.md", begins: "npm run compile", reason: "test/compile makes it and starts it" },
  { page: "CONTRIBUTING.md", begins: "DATABASE_URL_TEST=", reason: "runs all tests, this one included" },
  { page: "CONTRIBUTING.md", begins: "ODOGRAPH_TEST_BROWSER=", reason: "runs other tests" },
  { page: "CONTRIBUTING.md", begins: "ODOGRAPH_FOLLOW_ROUNDS=", reason: "runs other tests, for long" },
  {
    page: "docs/cli.md",
    begins: "ODOGRAPH_SMTP_PASSWORD_FILE=",
    reason: "a mail server elsewhere; test/portal/mail.test.ts has one",
  },
  {
    page: "docs/ingest.md",
    begins: "export ODOGRAPH_MQTT=",
    reason: "a broker elsewhere; test/intake/mqtt-program.test.ts has one",
  },
  { page: "docs/cli.md", begins: "TABLE                    PLACE", reason: "needs a cluster; tried by hand" },
  { page: "docs/scaling.md", begins: "   create database odograph owner", reason: "needs a cluster; tried by hand" },
  { page: "docs/scaling.md", begins: "   select citus_set_coordinator_host", reason: "needs a cluster; tried by hand" },
  { page: "docs/scaling.md", begins: "select isolate_tenant_to_new_shard", reason: "needs a cluster; tried by hand" },
  {
    page: "docs/sign-in.md",
    begins: "export ODOGRAPH_SMTP_PASSWORD_FILE=",
    reason: "a mail server elsewhere; test/portal/mail.test.ts has one",
  },
  {
    page: "docs/sign-in.md",
    begins: "export ODOGRAPH_OIDC_CLIENT_SECRET_FILE=",
    reason: "a provider elsewhere; test/portal/openid.test.ts and test/portal/browser/setup.ts have one",
  },
  { page: "docs/ingest.md", begins: "# A gateway, which sends", reason: "of Mosquitto's own configuration" },
  { page: "docs/ingest.md", begins: "<entry key='forward.type'>", reason: "of Traccar's own configuration" },
  { page: "docs/ingest.md", begins: "<entry key='event.forward", reason: "of Traccar's own configuration" },
  { page: "README.md", begins: "docker compose up", reason: "needs Docker; bench/drills/image.ts does the same" },
  { page: "docs/operations.md", begins: "sudo install -m 755 dist/odograph", reason: "makes a user of the machine" },
  {
    page: "docs/operations.md",
    begins: "npx ./odograph-VERSION.tgz",
    reason: "test/compile/npm-package.test.ts tries it",
  },
  {
    page: "docs/operations.md",
    begins: "sudo systemctl stop odograph\nsudo install",
    reason: "needs systemd, and another version",
  },
  { page: "docs/operations.md", begins: "defaults\n  mode http", reason: "needs HAProxy; bench/drills try the same" },
  { page: "docs/operations.md", begins: "ODOGRAPH_RETAIN_DAYS=", reason: "an example of a file" },
  { page: "docs/operations.md", begins: "sudo systemd-run", reason: "needs systemd" },
  ...[
    "pg_dump",
    "createdb",
    "archive_mode",
    "pg_basebackup",
    "sudo systemctl stop odograph postgresql",
    "psql --set",
  ].map((begins) => ({ page: "docs/operations.md", begins, reason: "test/docs/operations-postgres.test.ts runs it" })),
  {
    page: "docs/operations.md",
    begins: "sudo systemctl stop odograph odograph-litestream",
    reason: "test/deploy/litestream.test.ts runs it",
  },
  { page: "docs/operations.md", begins: "create role", reason: "roles are the whole server's" },
  { page: "docs/releases.md", begins: "xattr", reason: "needs macOS" },
  { page: "docs/releases.md", begins: "sha256sum", reason: "needs a release; tried by hand" },
  { page: "docs/releases.md", begins: "npm run release", reason: "takes minutes; test/compile has its parts" },
  {
    page: "docs/watching.md",
    begins: "OTEL_EXPORTER_OTLP_ENDPOINT=",
    reason: "a collector elsewhere; test/observe/traced-program.test.ts has one",
  },
  { page: "docs/watching.md", begins: "pg_dump", reason: "test/docs/operations-postgres.test.ts runs the dump" },
  { page: "docs/watching.md", begins: "journalctl", reason: "needs systemd" },
  { page: "docs/watching.md", begins: '{"time":"2026-03-17T08:15', reason: "a line of the log, not a command" },
  { page: "docs/watching.md", begins: '{"time":"2026-03-17T08:16', reason: "a line of the log, not a command" },
  { page: "docs/streets.md", begins: "pmtiles extract", reason: "needs the internet, and a program of Protomaps" },
  { page: "docs/streets.md", begins: "odograph serve --map-tiles", reason: "test/portal/browser has archives" },
  { page: "docs/clients.md", begins: "npx openapi-typescript", reason: "test/clients generates with the same" },
  { page: "docs/clients.md", begins: "import createClient", reason: "test/clients compiles and runs a longer one" },
  {
    page: "docs/agents.md",
    begins: "claude mcp add",
    reason: "needs Claude Code; try `claude mcp list` after a change",
  },
  { page: "docs/performance.md", begins: "node_modules/.bin/bun bench/", reason: "minutes of load" },
  {
    page: "docs/containers.md",
    begins: "docker compose up --detach\ndocker compose logs",
    reason: "needs Docker; tried by hand, as the page says",
  },
  { page: "docs/containers.md", begins: "docker compose exec odograph odograph users", reason: "needs Docker" },
  { page: "docs/containers.md", begins: "docker build", reason: "needs Docker; bench/drills/image.ts does the same" },
  { page: "docs/containers.md", begins: "ODOGRAPH_PUBLIC_URL=", reason: "an example of a file" },
  {
    page: "docs/containers.md",
    begins: "services:",
    reason: "needs Docker; try `docker compose config` after a change",
  },
  { page: "docs/containers.md", begins: "docker compose run", reason: "needs Docker; test/image reads compose.yaml" },
  { page: "docs/containers.md", begins: "sudo install", reason: "makes a directory of another user" },
  { page: "docs/containers.md", begins: "docker compose stop", reason: "needs Docker; test/image reads compose.yaml" },
  { page: "docs/containers.md", begins: "git pull", reason: "needs Docker, and another version" },
  { page: "docs/containers.md", begins: "30 2 * * *", reason: "needs cron and Docker" },
  { page: "docs/containers.md", begins: "COMPOSE_PROFILES=", reason: "an example of a file" },
  {
    page: "docs/containers.md",
    begins: "docker run --detach",
    reason: "needs Docker; bench/drills/image.ts does the same",
  },
  { page: "docs/containers.md", begins: "docker compose exec odograph odograph healthy", reason: "needs Docker" },
  { page: "docs/containers.md", begins: "securityContext:", reason: "needs Kubernetes" },
  { page: "docs/containers.md", begins: "image   ", reason: "what bench/drills/image.ts prints" },
];

export function isNotRun({ page, text }: Block): boolean {
  return notRun.some((entry) => entry.page === page && text.startsWith(entry.begins));
}
