/**
 * What a GT06 tracker sends, written from Concox's "GPS Tracker Communication Protocol" for JM-VL03 (v1.1.2) and not from our
 * decoder: even the checksum is computed in another way.
 */

export interface Gt06Fix {
  /** Year to second, by the tracker's clock; the year has two digits. */
  readonly clock: readonly [number, number, number, number, number, number];
  readonly satellites: number;
  /** In 1/30,000 of a minute, as a tracker has them; negative: south, west. */
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly heading: number;
  readonly isLocated: boolean;
}

export const gt06Sample: Gt06Fix = {
  clock: [26, 11, 17, 8, 30, 15],
  satellites: 9,
  latitude: 52.5 * 1_800_000,
  longitude: 13.4 * 1_800_000,
  speedKmh: 48,
  heading: 271,
  isLocated: true,
};

export interface Gt06State {
  readonly ignition: boolean;
  /** 0 to 6. */
  readonly level: number;
  /** Bits 3 to 5 of the terminal information: 1 vibration, 2 power cut, 3 low battery, 4 SOS. */
  readonly statusAlarm: number;
  readonly alarm: number;
}

/** Hours and minutes; east is positive. */
export type Gt06Zone = readonly [hours: number, minutes: number, isWest: boolean];

export function encodeLogin(imei: string, serial: number, zone?: Gt06Zone): Uint8Array {
  const id = Array.from({ length: 8 }, (_, at) => Number.parseInt(`0${imei}`.slice(2 * at, 2 * at + 2), 16));
  if (zone === undefined) return frame(0x01, id, serial);
  const [hours, minutes, isWest] = zone;
  const bits = ((hours * 100 + minutes) << 4) | (isWest ? 8 : 0) | 2;
  return frame(0x01, [...id, 0x20, 0x03, ...u16(bits)], serial);
}

export function encodeHeartbeat(state: Gt06State, serial: number): Uint8Array {
  return frame(0x13, [terminalInformation(state), state.level, 4, 0, 2], serial);
}

/** 0x12: place and cell. */
export function encodeOldLocation(fix: Gt06Fix, serial: number): Uint8Array {
  return frame(0x12, [...position(fix), ...cell2g], serial);
}

/** 0x22: place, cell, ignition, reason, whether sent later; some models add the mileage in metres. */
export function encodeLocation(fix: Gt06Fix, ignition: boolean, serial: number, mileage?: number): Uint8Array {
  const tail = [ignition ? 1 : 0, 0, 1, ...(mileage === undefined ? [] : u32(mileage))];
  return frame(0x22, [...position(fix), ...cell2g, ...tail], serial);
}

/** 0xa0: as 0x22, with the cell of 4G and a network of one or two bytes. */
export function encodeLocation4g(fix: Gt06Fix, ignition: boolean, serial: number, hasWideNetwork: boolean): Uint8Array {
  return frame(0xa0, [...position(fix), ...cell4g(hasWideNetwork), ignition ? 1 : 0, 3, 0], serial);
}

/** 0x26: place, cell with its length, terminal information, level, signal, alarm, language. */
export function encodeAlarm(fix: Gt06Fix, state: Gt06State, serial: number): Uint8Array {
  const condition = [terminalInformation(state), state.level, 4, state.alarm, 2];
  return frame(0x26, [...position(fix), cell2g.length + 1, ...cell2g, ...condition], serial);
}

/** 0xa4: as 0x26 with 4G and the number of the fence. */
export function encodeAlarm4g(fix: Gt06Fix, state: Gt06State, serial: number, hasWideNetwork: boolean): Uint8Array {
  const cell = cell4g(hasWideNetwork);
  const condition = [terminalInformation(state), state.level, 4, state.alarm, 2, 0xff];
  return frame(0xa4, [...position(fix), cell.length + 1, ...cell, ...condition], serial);
}

/** 0x94: information in a long frame. */
export function encodeInformation(kind: number, content: readonly number[], serial: number): Uint8Array {
  return longFrame(0x94, [kind, ...content], serial);
}

export function frame(type: number, content: readonly number[], serial: number): Uint8Array {
  return summed([0x78, 0x78], [content.length + 5, type, ...content, ...u16(serial)]);
}

export function longFrame(type: number, content: readonly number[], serial: number): Uint8Array {
  return summed([0x79, 0x79], [...u16(content.length + 5), type, ...content, ...u16(serial)]);
}

function summed(start: readonly number[], body: readonly number[]): Uint8Array {
  return Uint8Array.of(...start, ...body, ...u16(crcItu(body)), 0x0d, 0x0a);
}

/** Bit by bit, as the standard has it. */
function crcItu(bytes: readonly number[]): number {
  let register = 0xffff;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const isSet = ((register ^ (byte >> bit)) & 1) === 1;
      register = (register >> 1) ^ (isSet ? 0x8408 : 0);
    }
  }
  return register ^ 0xffff;
}

const cell2g = [0x01, 0xcc, 0x00, 0x28, 0x7d, 0x00, 0x1f, 0x71];

function cell4g(hasWideNetwork: boolean): readonly number[] {
  const network = hasWideNetwork ? [0x81, 0xcc, 0x01, 0x04] : [0x01, 0xcc, 0x00];
  return [...network, ...u32(0x287d), ...u32(0), ...u32(0x02ea5e01)];
}

function position(fix: Gt06Fix): readonly number[] {
  const course =
    fix.heading | (fix.latitude >= 0 ? 0x400 : 0) | (fix.longitude < 0 ? 0x800 : 0) | (fix.isLocated ? 0x1000 : 0);
  const [latitude, longitude] = [Math.abs(fix.latitude), Math.abs(fix.longitude)];
  return [...fix.clock, 0xc0 | fix.satellites, ...u32(latitude), ...u32(longitude), fix.speedKmh, ...u16(course)];
}

function terminalInformation({ ignition, statusAlarm }: Gt06State): number {
  return 0x44 | (ignition ? 2 : 0) | (statusAlarm << 3);
}

function u16(value: number): readonly number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function u32(value: number): readonly number[] {
  return [...u16(Math.floor(value / 65536)), ...u16(value % 65536)];
}
