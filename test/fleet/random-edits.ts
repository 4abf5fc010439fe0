import { type Change, editFleet } from "../../src/fleet/edit.ts";
import { removeDevice, restoreDevice } from "../../src/fleet/remove-device.ts";
import { removeGeofence, restoreGeofence } from "../../src/fleet/remove-geofence.ts";
import { removeUser } from "../../src/fleet/remove-user.ts";
import type { Database } from "../../src/store/database.ts";
import { type RevisedType, revisionsOf } from "../../src/store/record-revisions.ts";
import { uuid } from "../support/fleet.ts";
import { home } from "../support/ingest-fleet.ts";
import { shuffled } from "../support/random-drive.ts";

type Fields = Record<string, unknown>;

const ownerId = uuid(11);
const tags = ["cold", "North", "ä b", "cold ", "0"];
const zones = ["UTC", "Europe/Berlin", "America/New_York"];

/** A fleet that somebody edits at random: a person in the portal, each time an hour or so later. */
export class RandomEdits {
  /** What was done, for whoever has to find out what went wrong. */
  readonly done: string[] = [];
  readonly devices: string[];
  readonly users: string[];
  readonly fences: string[];
  readonly #hidden = { devices: [] as string[], fences: [] as string[] };
  readonly #settings = new Set<string>();
  readonly #database: Database;
  readonly #account: { readonly number: number; readonly id: string };
  readonly #random: () => number;
  readonly #begun: number;
  #now: number;
  #made = 0;

  constructor(
    database: Database,
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
    for (const name of all) {
      this.#now += Math.floor(this.#random() * 7_200_000);
      this.done.push(name);
      await this.#actions[name]?.();
    }
  }

  readonly #actions: Readonly<Record<string, () => Promise<void>>> = {
    "adds a vehicle": async () => {
      const id = this.#newId();
      this.devices.push(id);
      await this.#add("device", id, { imei: this.#imei(), ...this.#deviceFields() });
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
    "tags several vehicles": () =>
      this.#edit(
        this.#subset(this.devices).map((id) => ({ type: "device", id, fields: { tags: this.#subset(tags) } })),
      ),
    "adds a person": async () => {
      const id = this.#newId();
      this.users.push(id);
      await this.#add("user", id, { name: this.#text(), email: `u${this.#made}@acme.test`, role: "sub_account" });
    },
    "renames a person": () =>
      this.#change("user", this.#some(this.users), { name: this.#text(), email: `n${++this.#made}@acme.test` }),
    "disables or enables a person": () =>
      this.#change("user", this.#some(this.users), { status: this.#some(["active", "disabled"]) }),
    "draws a fence": async () => {
      const id = this.#newId();
      this.fences.push(id);
      await this.#add("geofence", id, {
        name: this.#text(),
        ...this.#shape(),
        ...this.#members(),
        ...this.#from(true),
      });
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
      if (id === null) return;
      await removeDevice(this.#database, { ...this.#request(id), revision: null, history: "keep" }, this.#now);
    },
    "puts a vehicle back": async () => {
      const id = this.#taken(this.#hidden.devices, this.devices, 0);
      if (id !== null) await restoreDevice(this.#database, this.#request(id), this.#now);
    },
    "hides a person": async () => {
      const id = this.#taken(this.users, []);
      if (id === null) return;
      await removeUser(this.#database, { ...this.#request(id), revision: null, history: "keep" }, this.#now);
    },
    "removes a fence": async () => {
      const id = this.#taken(this.fences, this.#hidden.fences);
      if (id !== null) await removeGeofence(this.#database, await this.#revised("geofence", id), this.#now);
    },
    "puts a fence back": async () => {
      const id = this.#taken(this.#hidden.fences, this.fences, 0);
      if (id !== null) await restoreGeofence(this.#database, await this.#revised("geofence", id), this.#now);
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

  #request(id: string) {
    const by = { kind: "user", id: ownerId } as const;
    return { accountId: this.#account.number, id, by, isPreview: false };
  }

  async #revised(type: RevisedType, id: string) {
    const revisions = await revisionsOf(this.#database, this.#account.number, type, [id]);
    return { ...this.#request(id), revision: revisions.get(id)?.revision ?? 1 };
  }

  async #setRules(id: string): Promise<void> {
    const fields = { rules: this.#rules(), ...this.#from(true) };
    if (this.#settings.has(id)) return this.#change("alert_settings", id, withoutAlways(fields));
    this.#settings.add(id);
    await this.#add("alert_settings", id, fields);
  }

  #add(type: RevisedType, id: string, fields: Fields): Promise<void> {
    return this.#send([{ type, id, revision: null, fields }]);
  }

  #change(type: RevisedType, id: string, fields: Fields): Promise<void> {
    return this.#edit([{ type, id, fields }]);
  }

  async #edit(changes: readonly Omit<Change, "revision">[]): Promise<void> {
    const revised: Change[] = [];
    for (const change of changes) {
      const revisions = await revisionsOf(this.#database, this.#account.number, change.type, [change.id]);
      revised.push({ ...change, revision: revisions.get(change.id)?.revision ?? 1 });
    }
    await this.#send(revised);
  }

  async #send(changes: readonly Change[]): Promise<void> {
    this.done.push(JSON.stringify(changes));
    const by = { kind: "user", id: ownerId } as const;
    await editFleet(this.#database, { account: this.#account, by, changes, isPreview: false }, this.#now);
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
    ]);
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

  #newId(): string {
    return uuid(5_000 + ++this.#made);
  }

  #imei(): string {
    return String(350_000_000_000_000 + Math.floor(this.#random() * 1_000_000_000));
  }
}

function withoutAlways({ valid_from, ...fields }: Fields): Fields {
  return valid_from === undefined || valid_from === "always" ? fields : { ...fields, valid_from };
}
