import { expect } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { type RevisedType, revisionsOf } from "../../src/store/fleet/record-revisions.ts";
import { uuid } from "../support/fleet.ts";
import { home } from "../support/ingest-fleet.ts";
import type { Browser, PortalUnderTest } from "../support/portal.ts";
import { shuffled } from "../support/random-drive.ts";

type Fields = Record<string, unknown>;

const ownerId = uuid(11);
const tags = ["cold", "North", "ä b", "cold ", "0"];
const zones = ["UTC", "Europe/Berlin", "America/New_York"];

const paths = { device: "/fleet/devices", user: "/fleet/users", geofence: "/fleet/geofences" } as const;

/** The revision of rules that nobody has set. */
const neverSet = 0;

/** A fleet that is edited at random: by a person in the portal, each time an hour or so later. */
export class RandomEdits {
  /** What was done, to find out what went wrong. */
  readonly done: string[] = [];
  readonly devices: string[];
  readonly users: string[];
  readonly fences: string[];
  readonly #hidden = { devices: [] as string[], fences: [] as string[] };
  readonly #settings = new Set<string>();
  readonly portal: PortalUnderTest;
  #owner: Browser | null = null;
  readonly #database: Database;
  readonly #account: { readonly number: number; readonly id: string };
  readonly #random: () => number;
  readonly #begun: number;
  #now: number;
  #made = 0;

  constructor(
    database: Database,
    portal: PortalUnderTest,
    begin: {
      readonly account: { readonly number: number; readonly id: string };
      readonly devices: readonly string[];
      readonly users: readonly string[];
      readonly fences: readonly string[];
      readonly settings: readonly string[];
      readonly random: () => number;
      readonly now: number;
    },
  ) {
    this.#database = database;
    this.portal = portal;
    this.#account = begin.account;
    this.devices = [...begin.devices];
    this.users = [...begin.users];
    this.fences = [...begin.fences];
    for (const id of begin.settings) this.#settings.add(id);
    this.#random = begin.random;
    this.#begun = begin.now;
    this.#now = begin.now;
  }

  /** Does each thing once, in any order, and then as many more as asked for. */
  async run(more: number): Promise<void> {
    const names = Object.keys(this.#actions);
    const all = shuffled(names, this.#random);
    for (let index = 0; index < more; index++) all.push(this.#some(names));
    await this.#doAll(all);
  }

  /** Edits fences while all vehicles but one are hidden; then puts back what is hidden, fences too. */
  async editHiddenAndPutBack(): Promise<void> {
    await this.#doAll(this.devices.map(() => "hides a vehicle"));
    const ofFences = Object.keys(this.#actions).filter((name) => name.includes("a fence"));
    await this.#doAll([...shuffled(ofFences, this.#random), ...shuffled(ofFences, this.#random)]);
    const { devices, fences } = this.#hidden;
    await this.#doAll([...devices.map(() => "puts a vehicle back"), ...fences.map(() => "puts a fence back")]);
  }

  async #doAll(names: readonly string[]): Promise<void> {
    for (const name of names) {
      this.#now += Math.floor(this.#random() * 7_200_000);
      this.done.push(name);
      await this.#actions[name]?.();
    }
  }

  readonly #actions: Readonly<Record<string, () => Promise<void>>> = {
    "adds a vehicle": async () => {
      const imei = this.#imei();
      this.devices.push(await this.#add("device", { imei, ...this.#deviceFields() }));
    },
    "changes a vehicle": () => this.#change("device", this.#some(this.devices), this.#deviceFields()),
    "clears a vehicle's fields": () =>
      this.#change("device", this.#some(this.devices), {
        plate: null,
        tags: [],
        external_ids: null,
        vehicle_year: null,
      }),
    "gives a vehicle another tracker": () => this.#change("device", this.#some(this.devices), { imei: this.#imei() }),
    "assigns a vehicle": () =>
      this.#change("device", this.#some(this.devices), { user_ids: this.#subset([...this.users, ownerId]) }),
    "tags several vehicles": async () => {
      for (const id of this.#subset(this.devices)) await this.#change("device", id, { tags: this.#subset(tags) });
    },
    "invites a person": async () => {
      const fields = {
        name: this.#text(),
        email: `u${++this.#made}@acme.test`,
        device_ids: this.#subset(this.devices),
      };
      this.users.push(await this.#add("user", fields));
    },
    "renames a person": () =>
      this.#change("user", this.#some(this.users), { name: this.#text(), email: `n${++this.#made}@acme.test` }),
    "disables or enables a person": () =>
      this.#change("user", this.#some(this.users), { status: this.#some(["active", "disabled"]) }),
    "draws a fence": async () => {
      const fields = { name: this.#text(), ...this.#shape(), ...this.#members(), ...this.#from(true) };
      this.fences.push(await this.#add("geofence", fields));
    },
    "moves a fence": () => this.#change("geofence", this.#some(this.fences), { ...this.#shape(), ...this.#from() }),
    "gives a fence other vehicles": () =>
      this.#change("geofence", this.#some(this.fences), { ...this.#members(), ...this.#from() }),
    "renames a fence": () =>
      this.#change("geofence", this.#some(this.fences), {
        name: this.#text(),
        description: this.#some([null, this.#text()]),
        color: this.#some([null, "red", "#1e90ff"]),
      }),
    "sets the rules of a vehicle": () => this.#setRules(this.#some(this.devices)),
    "sets the rules of a tag": () => this.#setRules(`tag:${this.#some(tags).trim()}`),
    "sets the rules of all": () => this.#setRules("all"),
    "changes rules again": () => this.#setRules(this.#some(this.#presentSettings())),
    "hides a vehicle": async () => {
      // One of those that were driven stays.
      const [first = "", ...others] = this.devices;
      const id = this.#taken(others, this.#hidden.devices);
      this.devices.splice(0, Number.POSITIVE_INFINITY, first, ...others);
      if (id !== null) await this.#do("device", id, "remove", { history: "keep" });
    },
    "puts a vehicle back": async () => {
      const id = this.#taken(this.#hidden.devices, this.devices, 0);
      if (id !== null) await this.#send("POST", `/fleet/removed-devices/${id}/restore`, {});
    },
    "hides a person": async () => {
      const id = this.#taken(this.users, []);
      if (id !== null) await this.#do("user", id, "remove", { history: "keep" });
    },
    "removes a fence": async () => {
      const id = this.#taken(this.fences, this.#hidden.fences);
      if (id !== null) await this.#do("geofence", id, "remove", {});
    },
    "puts a fence back": async () => {
      const id = this.#taken(this.#hidden.fences, this.fences, 0);
      if (id !== null) await this.#do("geofence", id, "restore", {});
    },
    "renames the account": () => this.#change("account", this.#account.id, { name: this.#text() }),
    "changes the time zone": () => this.#change("account", this.#account.id, { time_zone: this.#some(zones) }),
  };

  /** Whether facts may be about a fence that was removed. */
  get hasRemovedFences(): boolean {
    return this.#hidden.fences.length > 0;
  }

  /** Moves one to the other list, unless that leaves too few. */
  #taken(from: string[], to: string[], left = 1): string | null {
    if (from.length <= left) return null;
    const [id] = from.splice(Math.floor(this.#random() * from.length), 1);
    if (id === undefined) return null;
    to.push(id);
    return id;
  }

  async #setRules(id: string): Promise<void> {
    const fields = { rules: this.#rules(), ...this.#from(!this.#settings.has(id)) };
    const revision = this.#settings.has(id) ? await this.#revision("alert_settings", id) : neverSet;
    this.#settings.add(id);
    await this.#send("PUT", `/fleet/rules/${encodeURIComponent(id)}`, { revision, fields });
  }

  async #add(type: keyof typeof paths, fields: Fields): Promise<string> {
    const { data } = await this.#send("POST", paths[type], { fields });
    return data.id ?? data[`${type}_id`];
  }

  async #change(type: keyof typeof paths | "account", id: string, fields: Fields): Promise<void> {
    const path = type === "account" ? "/fleet/account" : `${paths[type]}/${id}`;
    await this.#send("PUT", path, { revision: await this.#revision(type, id), fields });
  }

  async #do(type: keyof typeof paths, id: string, what: "remove" | "restore", body: Fields): Promise<void> {
    await this.#send("POST", `${paths[type]}/${id}/${what}`, { revision: await this.#revision(type, id), ...body });
  }

  async #revision(type: RevisedType, id: string): Promise<number> {
    const revisions = await revisionsOf(this.#database, this.#account.number, type, [id]);
    return revisions.get(id)?.revision ?? 1;
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer of any route
  async #send(method: "POST" | "PUT", path: string, body: Fields): Promise<any> {
    this.done.push(`${method} ${path} ${JSON.stringify(body)}`);
    const { portal } = this;
    portal.time.aheadMs = this.#now - Date.now();
    this.#owner ??= await portal.signIn("olga@acme.test");
    const answer = await this.#owner.change(method, path, body);
    expect(answer.status < 300 ? "" : `${answer.status} ${answer.text} for ${this.done.at(-1)}`).toBe("");
    return answer.body;
  }

  #deviceFields(): Fields {
    return {
      name: this.#text(),
      plate: this.#some([null, this.#text()]),
      status: this.#some(["active", "inactive", "blocked"]),
      vehicle_year: this.#some([null, 2020]),
      fuel_tank_capacity_l: this.#some([null, 60.5, 80]),
      tags: shuffled(this.#subset(tags), this.#random),
      external_ids: this.#some([null, { b: "1", "2": this.#text(), a: "x" }]),
      user_ids: this.#subset(this.users),
    };
  }

  #members(): Fields {
    return { device_ids: this.#subset(this.devices) };
  }

  #shape(): Fields {
    const [x, y] = [home.longitude + (this.#random() - 0.5) * 0.05, home.latitude];
    const size = 0.001 + this.#random() * 0.03;
    const ring = [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y],
    ];
    return this.#some<Fields>([
      {
        shape: "circle",
        geometry: { type: "Point", coordinates: [x, y] },
        radius_m: 500 + this.#random() * 2_000,
        width_m: null,
      },
      { shape: "polygon", geometry: { type: "Polygon", coordinates: [ring] }, radius_m: null, width_m: null },
      {
        shape: "corridor",
        geometry: { type: "LineString", coordinates: ring.slice(0, 3) },
        radius_m: null,
        width_m: this.#some([80, 400.5]),
      },
    ]);
  }

  #rules(): Fields[] {
    const geofence_ids = this.#subset(this.fences);
    return this.#subset<Fields>([
      { alert_type: "speeding", parameters: { limit_kmh: 20 + Math.floor(this.#random() * 60) } },
      { alert_type: "speeding", severity: "critical", parameters: { limit_kmh: 10 }, geofence_ids },
      { alert_type: "geofence_enter", geofence_ids },
      { alert_type: "geofence_exit", enabled: this.#random() < 0.7, geofence_ids },
      { alert_type: "idling", parameters: { after_s: 60 } },
      { alert_type: "low_battery", parameters: { below_percent: 60 }, severity: "info" },
      { alert_type: "tyre_pressure_low", parameters: { nominal_kpa: { 2: 900, 1: 850 } } },
      { alert_type: "temperature_high", parameters: { sensor: "cargo", above_c: 8 } },
      { alert_type: "unauthorised_movement", parameters: { times: this.#times() } },
      { alert_type: "speeding", parameters: { limit_kmh: 15, times: this.#times() } },
    ]);
  }

  #times(): Fields {
    const hour = () => `${10 + Math.floor(this.#random() * 14)}:30`;
    const days = ["mon", ...this.#subset(["wed", "thu", "sat", "sun"])];
    return { within: [{ days, from: hour(), until: hour() }], dates_off: this.#subset(["2026-01-01", "2026-07-14"]) };
  }

  /** Those of hidden vehicles cannot be changed. */
  #presentSettings(): string[] {
    return [...this.#settings].filter((id) => !this.#hidden.devices.includes(id));
  }

  /** From now on, or from a moment of the past; a new record may also have been there always. */
  #from(isNew = false): Fields {
    return this.#some<Fields>([
      {},
      { valid_from: new Date(this.#moment()).toISOString() },
      isNew ? { valid_from: "always" } : {},
    ]);
  }

  /** From the day before the first edit until now. */
  #moment(): number {
    const from = this.#begun - 86_400_000;
    return from + Math.floor(this.#random() * (this.#now - from));
  }

  #some<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T;
  }

  #subset<T>(items: readonly T[]): T[] {
    return items.filter(() => this.#random() < 0.5);
  }

  #text(): string {
    return `N ${Math.floor(this.#random() * 1_000_000)}`;
  }

  #imei(): string {
    return String(350_000_000_000_000 + Math.floor(this.#random() * 1_000_000_000));
  }
}
