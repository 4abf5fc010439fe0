import type { Block } from "./blocks.ts";

/** By page and how the block begins, with enough of it to be the only one there: why no test runs or compares it. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "README.md": {
    "npm start": "test/cli/demo.test.ts runs the demo; the other is this very run",
    "npm run compile": "test/compile makes it and starts it",
    "docker compose up": "needs Docker; bench/drills/image.ts does the same",
  },
  "CONTRIBUTING.md": {
    "DATABASE_URL_TEST=": "runs all tests, this one included",
    "ODOGRAPH_TEST_BROWSER=": "runs other tests",
    "ODOGRAPH_FOLLOW_ROUNDS=": "runs other tests, for long",
  },
  "docs/cli.md": {
    "TABLE                    PLACE": "needs a cluster; tried by hand",
    "odograph trackers watch 353413532150362\nwatching": "test/intake/trackers/program.test.ts watches a tracker",
    "odograph trackers replay session.txt": "test/intake/trackers/program.test.ts replays a session",
  },
  "docs/trackers.md": {
    "odograph trackers taken\nIMEI": "test/store/shared-imeis.test.ts lists such devices",
    "   odograph serve --trackers":
      "listens to all of this machine; test/intake/trackers/program.test.ts listens to loopback",
    "odograph serve --trackers gt06 --tracker-proxies":
      "needs a balancer; test/intake/trackers/listener.test.ts speaks as one",
  },
  "docs/ingest.md": {
    "export ODOGRAPH_MQTT=": "a broker elsewhere; test/intake/mqtt-program.test.ts has one",
    "# A gateway, which sends": "of Mosquitto's own configuration",
    "<entry key='forward.type'>": "of Traccar's own configuration",
    "<entry key='event.forward": "of Traccar's own configuration",
  },
  "docs/scaling.md": {
    "   create role odograph login": "needs a cluster; bench/drills/citus-*.ts do the same",
    "   select citus_set_coordinator_host": "needs a cluster; bench/drills/citus-*.ts do the same",
    "select s.shardid, worker_hash": "needs a cluster; bench/drills/citus-isolation.ts does the same",
  },
  "docs/sign-in.md": {
    "export ODOGRAPH_SMTP_PASSWORD_FILE=": "a mail server elsewhere; test/portal/mail.test.ts has one",
    "export ODOGRAPH_OIDC_CLIENT_SECRET_FILE=":
      "a provider elsewhere; test/portal/openid.test.ts and test/portal/browser/setup.ts have one",
  },
  "docs/operations.md": {
    "sudo install -m 755 dist/odograph": "makes a user of the machine",
    "npx ./odograph-VERSION.tgz": "test/compile/npm-package.test.ts tries it",
    "sudo systemctl stop odograph\nsudo install": "needs systemd, and another version",
    "defaults\n  mode http": "needs HAProxy; bench/drills try the same",
    "ODOGRAPH_RETAIN_DAYS=": "an example of a file",
    "sudo systemd-run": "needs systemd",
    pg_dump: "test/docs/operations-postgres.test.ts runs it",
    createdb: "test/docs/operations-postgres.test.ts runs it",
    archive_mode: "test/docs/operations-postgres.test.ts runs it",
    pg_basebackup: "test/docs/operations-postgres.test.ts runs it",
    "sudo systemctl stop odograph postgresql": "test/docs/operations-postgres.test.ts runs it",
    "psql --set": "test/docs/operations-postgres.test.ts runs it",
    "sudo systemctl stop odograph odograph-litestream": "test/deploy/litestream.test.ts runs it",
    "create role": "roles are the whole server's",
  },
  "docs/releases.md": {
    xattr: "needs macOS",
    sha256sum: "needs a release; tried by hand",
    "npm run release": "takes minutes; test/compile has its parts",
  },
  "docs/watching.md": {
    "OTEL_EXPORTER_OTLP_ENDPOINT=": "a collector elsewhere; test/observe/traced-program.test.ts has one",
    pg_dump: "test/docs/operations-postgres.test.ts runs the dump",
    journalctl: "needs systemd",
    '{"time":"2026-03-17T08:15': "a line of the log, not a command",
    '{"time":"2026-03-17T08:16': "a line of the log, not a command",
  },
  "docs/streets.md": {
    "pmtiles extract": "needs the internet, and a program of Protomaps",
    "odograph serve --map-tiles": "test/portal/browser has archives",
  },
  "docs/clients.md": {
    "npm install http": "test/api/served-clients.test.ts installs both",
    "npx openapi-typescript": "test/clients generates with the same",
    "import createClient": "test/clients compiles and runs a longer one",
  },
  "docs/recipes.md": {
    "install httpfs;": "an extension that DuckDB downloads; tried by hand, as the page says",
    "import os\n\nimport pandas": "examples/recipes-run.test.ts runs it",
    "export GDAL_HTTP_HEADERS=": "needs GDAL; tried by hand, as the page says",
    'curl -H "X-API-Key: odo_…" -o mileage.csv':
      "an address elsewhere; test/examples/recipes-run.test.ts reads the same CSV",
    "import io\nimport os\nimport urllib.request": "examples/recipes-run.test.ts runs it",
    "select name, plate, sum(distance_km)": "examples/recipes-run.test.ts runs it",
    "rest:\n  - resource:": "needs Home Assistant; tried by hand, as the page says",
  },
  "docs/agents.md": {
    "claude mcp add": "needs Claude Code; try `claude mcp list` after a change",
  },
  "docs/performance.md": {
    "node_modules/.bin/bun bench/steady.ts": "hours of load",
  },
  "docs/containers.md": {
    "docker compose up --detach\ndocker compose logs": "needs Docker; tried by hand, as the page says",
    "docker compose exec odograph odograph users": "needs Docker",
    "docker build": "needs Docker; bench/drills/image.ts does the same",
    "ODOGRAPH_PUBLIC_URL=": "an example of a file",
    "services:": "needs Docker; try `docker compose config` after a change",
    "docker compose run": "needs Docker; test/image reads compose.yaml",
    "sudo install": "makes a directory of another user",
    "docker compose stop": "needs Docker; test/image reads compose.yaml",
    "git pull": "needs Docker, and another version",
    "30 2 * * *": "needs cron and Docker",
    "COMPOSE_PROFILES=": "an example of a file",
    "docker run --detach": "needs Docker; bench/drills/image.ts does the same",
    "docker compose exec odograph odograph healthy": "needs Docker",
    "securityContext:": "needs Kubernetes",
  },
};

export const notRun = Object.entries(reasons).flatMap(([page, blocks]) =>
  Object.keys(blocks).map((begins) => ({ page, begins })),
);

export function isNotRun({ page, text }: Block): boolean {
  return notRun.some((entry) => entry.page === page && text.startsWith(entry.begins));
}
