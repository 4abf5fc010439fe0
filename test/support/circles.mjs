// What runs in `npm test` and what in `npm test -- --rest`. Together they run every test file, on each engine that it asks for.
// The rest has the random ones again, with more rounds.
// Read by scripts/test.mjs under Node, and by the tests.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What differs most between the engines: these folders run on both in the first circle, and the files below. */
const onBothEngines = ["store", "derive", "intake", "follow"];

/**
 * Of the other folders, the files that cost least and together send PostgreSQL nearly every statement that any of their
 * tests sends. They were chosen by what the server logged in a run of all files, each time the one that adds most statements
 * for its time; `episodes` was added for a fault that these missed (docs/decisions/0054). All else runs on PostgreSQL in the rest.
 */
const alsoOnBoth = new Set([
  "test/access/keys.test.ts",
  "test/access/limiter-account.test.ts",
  "test/access/limiter-clock.test.ts",
  "test/access/one-time-links.test.ts",
  "test/api/cursors-paging.test.ts",
  "test/api/cursors.test.ts",
  "test/api/examples.test.ts",
  "test/api/long-lists.test.ts",
  "test/api/mileage-periods.test.ts",
  "test/api/mileage-time-zone.test.ts",
  "test/api/routes/list-devices.test.ts",
  "test/api/tags.test.ts",
  "test/api/walked-lists.test.ts",
  "test/cli/distribute.test.ts",
  "test/cli/erase-which.test.ts",
  "test/cli/keys.test.ts",
  "test/fleet/erase-strays.test.ts",
  "test/fleet/load-rules.test.ts",
  "test/fleet/load.test.ts",
  "test/fleet/tracker-names.test.ts",
  "test/portal/audit.test.ts",
  "test/portal/expected-trackers.test.ts",
  "test/portal/fleet-account.test.ts",
  "test/portal/fleet-days.test.ts",
  "test/portal/fleet-devices.test.ts",
  "test/portal/fleet-geofences.test.ts",
  "test/portal/fleet-rules.test.ts",
  "test/portal/fleet-tokens.test.ts",
  "test/portal/links.test.ts",
  "test/portal/notifications/episodes.test.ts",
  "test/portal/notifications/erased-plans.test.ts",
  "test/portal/notifications/moved.test.ts",
  "test/portal/notifications/planning.test.ts",
  "test/portal/notifications/unconfirmed.test.ts",
  "test/portal/notifications/unsubscribed.test.ts",
  "test/portal/removed.test.ts",
  "test/portal/server-alerts.test.ts",
  "test/portal/server-keys.test.ts",
  "test/portal/sessions-list.test.ts",
  "test/portal/share-links.test.ts",
  "test/portal/tracker-messages.test.ts",
]);

function isOnBoth(path) {
  return alsoOnBoth.has(path) || onBothEngines.some((folder) => path.startsWith(`test/${folder}/`));
}

/**
 * Files that only the rest runs: drills, stories of the browser, generators of clients. Beside each, what the first circle
 * holds of its subject (paths are from test/).
 */
const onlyInRest = {
  "test/api/openapi-linters.test.ts": "api/openapi.test.ts and api/openapi-schemas.test.ts hold the description",
  "test/api/replica-walk.test.ts":
    "api/replica.test.ts reads all lists from a replica; api/walked-lists.test.ts walks them",
  "test/api/reference-samples.test.ts":
    "api/reference-page.test.ts shows them; api/served-clients.test.ts and client/client.test.ts run the client",
  "test/cli/demo-beside.test.ts":
    "portal/demo-account.test.ts has its routes; cli/demo-history.test.ts makes such a fleet",
  "test/portal/browser-look.test.ts": "portal/demo-account.test.ts has what it asks for",
  "test/cli/demo-history-killed.test.ts":
    "cli/demo-history.test.ts; derive/order.test.ts: the order of frames does not count",
  "test/cli/draining.test.ts":
    "api/network-drain.test.ts drains in one process; cli/serve-start-and-end.test.ts ends a program",
  "test/cli/load-frames-killed.test.ts": "cli/load-frames.test.ts loads a file again, and one that breaks off",
  "test/cli/load-killed.test.ts": "store/database.test.ts: a transaction that fails stores nothing",
  "test/client-python/python.test.ts":
    "client-python/generated.test.ts holds its text; client/client.test.ts the same calls",
  "test/clients/generated.test.ts":
    "api/openapi.test.ts and api/openapi-schemas.test.ts hold the description that generators read",
  "test/clients/schemathesis.test.ts":
    "support/api.ts holds every answer of every test against the description; api/fuzz.test.ts sends odd requests",
  "test/compile/npm-package.test.ts": "compile/one-file.test.ts runs the program of a release",
  "test/compile/sbom.test.ts": "compile/notice.test.ts lists the same packages",
  "test/docs/operations-postgres.test.ts": "docs/operations.test.ts; store/postgres.test.ts",
  "test/examples/chat.test.ts": "follow/follower.test.ts; examples/recipes.test.ts runs examples",
  "test/examples/mileage.test.ts":
    "api/mileage-time-zone.test.ts has days of such zones; examples/recipes.test.ts runs examples",
  "test/examples/recipes-run.test.ts":
    "examples/recipes.test.ts runs the code of flows; api/formats.test.ts has CSV and GeoJSON",
  "test/examples/sync.test.ts":
    "follow/follower.test.ts holds what a copy ends with; examples/recipes.test.ts runs examples",
  "test/intake/mqtt-program.test.ts": "intake/mqtt.test.ts with a real broker, in one process",
  "test/intake/killed.test.ts": "store/postgres.test.ts and intake/port.test.ts: acknowledged is stored",
  "test/intake/trackers/nodes.test.ts": "intake/trackers/listener.test.ts and intake/trackers/thread.test.ts, one node",
  "test/intake/trackers/program.test.ts": "intake/trackers/listener.test.ts, and each family's own file and stream",
  "test/intake/trackers/strangers-program.test.ts": "intake/trackers/strangers.test.ts, in one process",
  "test/mcp/fleet-questions.test.ts":
    "api/mcp-tools.test.ts calls each tool; api/mcp-clients.test.ts by the official clients",
  "test/portal/browser-accounts.test.ts": "portal/browser-opened.test.ts opens each view and does its main action",
  "test/portal/browser-files.test.ts": "portal/browser-opened.test.ts; portal/server-program.test.ts serves the files",
  "test/portal/browser-forms.test.ts": "portal/browser-opened.test.ts opens each view and does its main action",
  "test/portal/browser-trackers.test.ts": "portal/browser-opened.test.ts opens the pages of trackers",
  "test/portal/browser-views.test.ts": "portal/browser-opened.test.ts opens each view and does its main action",
  "test/simulator/truth.test.ts": "simulator/world.test.ts and simulator/frames.test.ts; domain/ holds each rule",
  "test/store/postgres-failover.test.ts": "store/postgres.test.ts: a connection that is lost is made anew",
  "test/store/postgres-silence.test.ts": "store/postgres.test.ts; store/silent-worker.test.ts",
};

/** A file of random or repeated events: the rest repeats it, with more rounds (test/support/rounds.ts). */
const repeats = /\b(?:rounds|forAll)\(/;

/** A file that runs on the engines. */
const runsOnEngines = /\b(?:onEachEngine|describeRoute)\b/;

/** Null under `bun test` alone: everything, with as few rounds as in the first circle. */
export function circle() {
  const name = process.env.ODOGRAPH_TEST_CIRCLE;
  return name === "first" || name === "rest" ? name : null;
}

/** The engines on which a file runs in a circle. */
export function enginesOf(inCircle, path, text) {
  const both = ["sqlite", "postgres"];
  if (inCircle === null || path in onlyInRest) return both;
  if (inCircle === "first") return isOnBoth(path) ? both : ["sqlite"];
  return repeats.test(text) ? both : ["postgres"];
}

/** The files outside of the folders that run on both engines in the first circle, and do all the same. */
export function chosenForBoth() {
  return [...alsoOnBoth];
}

/** What the first circle leaves to the rest as a whole, and why it may. */
export function leftToRest() {
  return Object.entries(onlyInRest);
}

/** The test files that have nothing to do in a circle. */
export function filesOutside(inCircle, root) {
  return testFiles(root).filter((path) => {
    if (path in onlyInRest) return inCircle === "first";
    if (inCircle === "first") return false;
    const text = readFileSync(join(root, path), "utf8");
    return (isOnBoth(path) || !runsOnEngines.test(text)) && !repeats.test(text);
  });
}

export function testFiles(root) {
  return readdirSync(join(root, "test"), { recursive: true })
    .map((path) => `test/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts"))
    .sort();
}
