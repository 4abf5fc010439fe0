import type { CanonicalFrame } from "../messages.ts";
import { NotDelivered } from "../sender.ts";
import { gt06Frame, gt06Login } from "./gt06.ts";
import { jt808Authenticate, jt808Location } from "./jt808.ts";
import { teltonikaLogin, teltonikaPacket } from "./teltonika.ts";

/** A vehicle whose tracker calls the server itself. */
export interface WireDevice {
  readonly imei: string;
  /** What the tracker calls itself, if that is not the IMEI. */
  readonly trackerId: string | null;
  readonly protocol: WireProtocol;
}

/** How a tracker speaks. Every message is answered, once what is in it is stored. */
interface WireLanguage {
  readonly login: (identity: string) => Uint8Array;
  readonly message: (identity: string, frame: CanonicalFrame, serial: number) => Uint8Array;
}

const languages = {
  gt06: { login: (imei) => gt06Login(imei, 1), message: (_, frame, serial) => gt06Frame(frame, serial) },
  jt808: { login: (phone) => jt808Authenticate(phone, "demo", 1), message: jt808Location },
  teltonika: { login: teltonikaLogin, message: (_, frame) => teltonikaPacket([teltonikaRecord(frame)]) },
} as const satisfies Record<string, WireLanguage>;

export type WireProtocol = keyof typeof languages;

export function isWireProtocol(name: string | null): name is WireProtocol {
  return name !== null && Object.hasOwn(languages, name);
}

const replyMs = 10_000;
const attempts = 3;

/** A tracker that is connected over TCP. It sends a frame again until it is answered. */
export class WireVehicle {
  readonly #device: WireDevice;
  readonly #port: number;
  #socket: Bun.Socket<undefined> | null = null;
  #answer: PromiseWithResolvers<boolean> | null = null;
  #serial = 1;

  constructor(device: WireDevice, port: number) {
    this.#device = device;
    this.#port = port;
  }

  async send(frames: readonly CanonicalFrame[]): Promise<void> {
    for (const frame of frames) {
      let attempt = 1;
      while (!(await this.#sendOnce(frame))) {
        this.close();
        if (attempt++ === attempts) throw new NotDelivered(`port ${this.#port} does not answer ${this.#device.imei}`);
      }
    }
  }

  close(): void {
    this.#socket?.end();
    this.#socket = null;
  }

  async #sendOnce(frame: CanonicalFrame): Promise<boolean> {
    const { imei, trackerId, protocol } = this.#device;
    const language: WireLanguage = languages[protocol];
    const identity = trackerId ?? imei;
    if (this.#socket === null && !(await this.#connect(language.login(identity)))) return false;
    this.#serial = (this.#serial + 1) % 65_536;
    return this.#exchange(language.message(identity, frame, this.#serial));
  }

  async #connect(login: Uint8Array): Promise<boolean> {
    const end = () => {
      this.#socket = null;
      this.#answer?.resolve(false);
    };
    const data = () => this.#answer?.resolve(true);
    const opened = Bun.connect({ hostname: "127.0.0.1", port: this.#port, socket: { data, close: end, error: end } });
    this.#socket = await opened.catch(() => null);
    return this.#socket !== null && this.#exchange(login);
  }

  async #exchange(message: Uint8Array): Promise<boolean> {
    this.#answer = Promise.withResolvers();
    this.#socket?.write(message);
    const timer = setTimeout(() => this.#answer?.resolve(false), replyMs);
    const isAnswered = await this.#answer.promise;
    clearTimeout(timer);
    return isAnswered;
  }
}

function teltonikaRecord(frame: CanonicalFrame) {
  const { latitude, longitude, fix } = frame;
  const hasPlace = fix !== false && latitude !== undefined && longitude !== undefined;
  const place = hasPlace && {
    latitude,
    longitude,
    altitudeMetres: Math.round(frame.altitude_m ?? 0),
    headingDeg: Math.round(frame.heading_deg ?? 0),
    satellites: frame.satellites ?? 0,
    speedKmh: Math.round(frame.speed_kmh ?? 0),
  };
  return {
    atMs: Date.parse(frame.recorded_at),
    place: place || null,
    ignition: frame.ignition === true,
    odometerMetres: Math.round((frame.odometer_km ?? 0) * 1_000),
  };
}
