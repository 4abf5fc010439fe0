import { type CrcForm, crcAfter } from "./crc.ts";

/** Up to here adding up is quicker than working it out. */
const shortBytes = 48;
/** What is kept of the stream before the bytes that matter, at most, before it is let go. */
const maxStaleBytes = 8_192;

/**
 * Checksums of any part of a stream. A framer that must try many parts, which overlap, would else add up the same bytes over and
 * over. A CRC is linear: that of a part follows from those of everything before its start and before its end.
 */
export class RangeChecksums {
  readonly #form: CrcForm;
  readonly #steps: ZeroStep[];
  /** The register after so many bytes from `#base` on. */
  #registers: number[] = [0];
  #base = 0;

  /** `steps` is empty at first, and is given to all of one form: what is in it is worked out once. */
  constructor(form: CrcForm, steps: ZeroStep[]) {
    this.#form = form;
    this.#steps = steps;
  }

  /** Of the bytes from `from` up to `to`. `offset` is where in the stream `bytes` begin. */
  of(bytes: Uint8Array, offset: number, from: number, to: number): number {
    const { initial, final } = this.#form;
    const length = to - from;
    if (length <= shortBytes) return crcAfter(this.#form, initial, bytes, from, to) ^ final;
    this.#extend(bytes, offset, to);
    const before = this.#registers[offset + from - this.#base] ?? 0;
    const after = this.#registers[offset + to - this.#base] ?? 0;
    return after ^ afterZeros(this.#form, this.#steps, before ^ initial, length) ^ final;
  }

  #extend(bytes: Uint8Array, offset: number, to: number): void {
    const registers = this.#registers;
    const known = this.#base + registers.length - 1;
    if (known < offset || offset - this.#base > maxStaleBytes) {
      this.#registers = known < offset ? [0] : registers.slice(offset - this.#base);
      this.#base = offset;
      this.#extend(bytes, offset, to);
      return;
    }
    let register = registers.at(-1) ?? 0;
    for (let at = known - offset; at < to; at++) {
      register = crcAfter(this.#form, register, bytes, at, at + 1);
      registers.push(register);
    }
  }
}

/** What a register becomes by 1, 2, 4, 8 … zero bytes, for each value of its lower and its upper half. */
export interface ZeroStep {
  readonly low: Uint16Array;
  readonly high: Uint16Array;
}

/** The register after so many zero bytes, in as many steps as the number has binary digits. `steps` grow as they are needed. */
function afterZeros({ table }: CrcForm, steps: ZeroStep[], register: number, count: number): number {
  let value = register;
  for (let left = count, index = 0; left > 0; left >>= 1, index++) {
    const step = steps[index] ?? nextStep(table, steps[index - 1]);
    steps[index] = step;
    if (left & 1) value = stepped(step, value);
  }
  return value;
}

function nextStep(table: Uint16Array, half: ZeroStep | undefined): ZeroStep {
  const byByte = (value: number) => (value >> 8) ^ (table[value & 0xff] ?? 0);
  const step = half === undefined ? byByte : (value: number) => stepped(half, stepped(half, value));
  return {
    low: Uint16Array.from({ length: 256 }, (_, value) => step(value)),
    high: Uint16Array.from({ length: 256 }, (_, value) => step(value << 8)),
  };
}

function stepped({ low, high }: ZeroStep, value: number): number {
  return (low[value & 0xff] ?? 0) ^ (high[value >> 8] ?? 0);
}
