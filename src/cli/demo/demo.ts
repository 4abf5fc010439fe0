import { Failure } from "../../domain/errors.ts";
import { dayMs } from "../../domain/time/time.ts";
import type { TrackerSettings } from "../../intake/trackers/tracker-settings.ts";
import { boxOnly } from "../../portal/mail/mail-box.ts";
import { createWorld, type World } from "../../simulator/world.ts";
import type { Database } from "../../store/database.ts";
import { accountsById } from "../../store/fleet/accounts.ts";
import { confirmDemoPeople, isDemoAccount, saveDemoAccount } from "../../store/fleet/demo-accounts.ts";
import { openDatabase } from "../../store/open.ts";
import { holdServerLock } from "../../store/sqlite/server-lock.ts";
import { type CommandCall, command } from "../common/command.ts";
import { countOption } from "../common/options.ts";
import { DemoMaker } from "../demo-maker.ts";
import { isLoopback, serverOriginOf } from "../serving/address-here.ts";
import { type DemoSignIn, demoSignIns } from "../serving/demo-passwords.ts";
import { type DemoState, isStoreIn, readDemoState, removeDemo, writeDemoState } from "../serving/demo-state.ts";
import { nextFreePort, requireFreePort } from "../serving/listen.ts";
import { runServer } from "../serving/run-server.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { conversionShown } from "../store/open-store.ts";
import { driveHistory, loadDemoFleet, missingAccount } from "./demo-history.ts";
import { servedSince } from "./demo-parts.ts";
import { DemoPast } from "./demo-past.ts";
import { type CallingVehicle, callingVehicles, sendFrames } from "./demo-sender.ts";
import { demoStreets } from "./demo-streets.ts";
import { demoText, portsNote } from "./demo-text.ts";
import { keepFurnished } from "./furnish.ts";
import { resumeAt } from "./resume.ts";

const defaultDirectory = "./odograph-demo";

export const demoCommand = command({
  name: "demo",
  summary: "run the service with a made-up fleet that drives while you watch",
  details: [
    "The first start creates the fleet and its history: the last day at once, the days before while it is served. Later",
    `starts continue from there. The demo has its own data directory (${defaultDirectory} unless --data names another), and`,
    "needs nothing else.",
    "Prints the portal's address and sign-in, a key, and calls to try. Ctrl-C stops it.",
    "The default password is public. With a --host that others can reach, the demo creates a new one and prints it.",
  ].join("\n"),
  options: [
    { name: "reset", help: "delete the existing demo and create a new one" },
    { name: "new-password", help: "create a new password for signing in, and print it" },
    { name: "vehicles", placeholder: "N", help: "how many vehicles (default: 40)" },
    { name: "days", placeholder: "N", help: "how many days of history (default: 14)" },
    { name: "seed", placeholder: "N", help: "another seed is another fleet (default: 1)" },
  ],
  settings: [
    "port",
    "ingestPort",
    "host",
    "trackers",
    "trackerHost",
    "trackerNetworks",
    "mapStyle",
    "mapStyleDark",
    "mapTiles",
    "geocoder",
    "geocoderKind",
    "logLevel",
    "logFormat",
  ],
  dataDefault: defaultDirectory,
  run: demo,
});

const maxVehicles = 5_000;
const maxDays = 90;

/** Some of its vehicles call by themselves. Nobody else needs to know the ports. */
const demoTrackers: TrackerSettings = {
  ports: [
    { name: "gt06", port: 0 },
    { name: "jt808", port: 0 },
    { name: "teltonika", port: 0 },
  ],
  hostname: "127.0.0.1",
  networks: null,
  proxies: null,
};

interface Demo {
  readonly signIns: readonly DemoSignIn[];
  readonly state: DemoState;
  readonly world: World;
  /** Frames from this time on have not been sent yet. */
  readonly since: number;
  readonly calling: readonly CallingVehicle[];
  readonly accountId: number;
  /** Made with the history; null: there was no history to make. */
  readonly streets: string | null;
}

async function demo(call: CommandCall): Promise<void> {
  const settings = withFreePorts(call, demoSettings(call));
  const { host } = settings;
  const directory = directoryOf(settings);
  await refuseOtherStore(directory);
  // First of all, so that an interrupted start can be recognised as a demo.
  if ((await readDemoState(directory)) === null) await writeDemoState(directory, newState(call, Date.now()));
  const release = holdServerLock(directory);
  try {
    if (call.options.reset) {
      await removeDemo(directory);
      await writeDemoState(directory, newState(call, Date.now()));
    }
    const ready = await prepared(call, directory, host);
    const { terminal } = call;
    let { isComplete } = ready.state;
    const past = new DemoPast(ready.state, async (state) => {
      await writeDemoState(directory, state);
      if (isComplete) return;
      ({ isComplete } = state);
      const all = state.days * dayMs;
      terminal.progress("making history", all - ((state.historyFrom ?? state.from) - state.from), all);
      if (isComplete) terminal.note(`all ${state.days} days of history are made`);
    });
    const mapTiles = settings.mapTiles ?? ready.streets ?? (await demoStreets(directory, ready.state.seed));
    await runServer(
      call,
      // Its vehicles have this machine's time, and it may be started again after weeks.
      { ...settings, mapTiles, mail: boxOnly, trustsClock: true, trackers: settings.trackers ?? demoTrackers },
      {
        isLocked: true,
        // Its history comes late, which is nothing to report.
        ingestLogLevel: isChosen(call, "log-level", "ODOGRAPH_LOG_LEVEL") ? settings.logLevel : "warn",
        announce: ({ url }) => {
          const text = demoText(serverOriginOf(settings, url), ready.state, past.inMaking, ready.signIns);
          call.terminal.out(`listening ${url}\n\n${text}`);
        },
        afterStart: async ({ url }, database, observe) =>
          keepFurnished(past, { database, accountId: ready.accountId, url }, observe),
        alongside: (listening, observe) => {
          const ends = [
            sendFrames({ ...ready, token: ready.state.token }, listening, observe),
            past.make(listening.ingestUrl, observe),
          ];
          return async () => {
            await Promise.all(ends.map((end) => end()));
          };
        },
        demoHistory: () => past.inMaking,
      },
    );
  } finally {
    release();
  }
}

/** A demo must never overwrite real data. */
async function refuseOtherStore(directory: string): Promise<void> {
  if (!(await isStoreIn(directory)) || (await readDemoState(directory)) !== null) return;
  const message = `${directory} holds data that is not a demo; choose another directory with --data`;
  throw new Failure("REFUSED", message);
}

/** The demo's own data directory; ODOGRAPH_DATA, DATABASE_URL and DATABASE_READ_URL do not apply. */
function demoSettings(call: CommandCall): Settings {
  const { DATABASE_URL: _, DATABASE_READ_URL: __, ODOGRAPH_DATA: ___, ...environment } = call.environment;
  return readSettings({ data: defaultDirectory, ...call.options }, environment);
}

/** A port that nobody chose may be another one: who tries the demo has perhaps not stopped the last one. */
function withFreePorts(call: CommandCall, settings: Settings): Settings {
  const { host } = settings;
  const free = (wanted: number, flag: string, variable: string, taken: number | null) => {
    if (!isChosen(call, flag, variable)) return nextFreePort(host, wanted, flag, taken);
    requireFreePort(host, wanted, flag);
    return wanted;
  };
  const port = free(settings.port, "port", "ODOGRAPH_PORT", null);
  const ingestPort = free(settings.ingestPort, "ingest-port", "ODOGRAPH_INGEST_PORT", port);
  const note = portsNote({ wanted: settings.port, taken: port }, { wanted: settings.ingestPort, taken: ingestPort });
  if (note !== null) call.terminal.note(note);
  return { ...settings, port, ingestPort };
}

function isChosen(call: CommandCall, flag: string, variable: string): boolean {
  return Boolean(call.options[flag] ?? call.environment[variable]);
}

function directoryOf({ store }: Settings): string {
  if (store.engine === "sqlite") return store.directory;
  throw new Failure("INTERNAL", "the demo has a data directory of its own");
}

/** Opens or creates the fleet with its newest history, with passwords that suit the people who can reach the host. */
async function prepared(call: CommandCall, directory: string, host: string): Promise<Demo> {
  const state = (await readDemoState(directory)) ?? newState(call, Date.now());
  refuseOtherFleet(call, state);
  const database = await openDatabase(
    { engine: "sqlite", directory },
    { create: true, isServer: true, observe: conversionShown(call.terminal) },
  );
  try {
    const world = createWorld(state);
    const driven = await drivenUntilNow(call, directory, database, state, world);
    const isPublic = !(await isLoopback(host));
    const signIns = await demoSignIns(database, { isPublic, isRenewed: call.options["new-password"] === true });
    const [account] = await accountsById(database, [world.accountId]);
    if (account === undefined) throw new Failure("NOT_FOUND", missingAccount);
    const { account_id: accountId } = account;
    await keepItsMails(database, world.accountId, accountId);
    const calling = await callingVehicles(database, accountId);
    return { signIns, world, accountId, calling, ...driven };
  } finally {
    await database.close();
  }
}

async function drivenUntilNow(
  call: CommandCall,
  directory: string,
  database: Database,
  state: DemoState,
  world: World,
): Promise<Pick<Demo, "state" | "since" | "streets">> {
  if (state.isComplete || state.historyFrom !== null) {
    return { state, since: await resumeAt(database, world, state), streets: null };
  }
  // It gets ready while the fleet is loaded.
  const maker = new DemoMaker(state);
  try {
    const isLoaded = state.key !== "";
    const loaded = isLoaded ? state : { ...state, ...(await loadDemoFleet(database, world, call.terminal)) };
    // Before the long part, so that an interrupted start can continue.
    if (!isLoaded) await writeDemoState(directory, loaded);
    const until = Date.now();
    // Of 1.4.0, or of a start that was interrupted, some of it may be there. Frames are stored once.
    const from = servedSince(loaded, until);
    const history = maker.frames(from, until);
    const streets = maker.streets(directory);
    await driveHistory(database, world, history, { from, until }, call.terminal.progress);
    const begun = { ...loaded, historyFrom: from, isComplete: from === loaded.from };
    await writeDemoState(directory, begun);
    return { state: begun, since: until, streets: await streets };
  } finally {
    maker.stop();
  }
}

/** Nobody is mailed of what has not happened. */
async function keepItsMails(database: Database, id: string, accountId: number): Promise<void> {
  if (await isDemoAccount(database, accountId)) return;
  await database.transaction(async (tx) => {
    const made = { account_id: accountId, wanted_by: null, wanted_at: Date.now(), state_json: null };
    await saveDemoAccount(tx, { id, ...made, is_ready: true, ends_at: null });
    await confirmDemoPeople(tx, accountId);
  });
}

function newState(call: CommandCall, now: number): DemoState {
  const days = countOption(call, "days", maxDays) ?? 14;
  return {
    seed: countOption(call, "seed") ?? 1,
    vehicles: countOption(call, "vehicles", maxVehicles) ?? 40,
    days,
    from: now - days * dayMs,
    key: "",
    token: "",
    historyFrom: null,
    isComplete: false,
    edition: 2,
  };
}

/** The options of an existing fleet cannot change. */
function refuseOtherFleet(call: CommandCall, state: DemoState): void {
  for (const name of ["seed", "vehicles", "days"] as const) {
    const requested = countOption(call, name);
    if (requested === null || requested === state[name]) continue;
    throw new Failure("WRONG_CALL", `--${name}: the existing demo has ${state[name]}; add --reset to create a new one`);
  }
}
