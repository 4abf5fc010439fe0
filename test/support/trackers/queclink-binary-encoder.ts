/** Writes binary reports of Queclink as they were published: the fields in their order, and points packed bit by bit. */
export interface BinaryPoint {
  /** In millionths of a degree. */
  readonly longitude: number;
  readonly latitude: number;
  /** In tenths of km/h. */
  readonly speed: number;
  readonly heading: number;
}

interface BinaryReport {
  readonly point: BinaryPoint;
  readonly at: number;
  readonly sentAt: number;
  readonly accuracy: number;
  readonly mask?: number;
}

const [word, long] = [16, 32];

/** The numbers, each with so many bits, as bytes. */
function packed(...values: readonly (readonly [value: number, bits: number])[]): readonly number[] {
  const text = values
    .map(([value, bits]) =>
      (((BigInt(value) % 2n ** BigInt(bits)) + 2n ** BigInt(bits)) % 2n ** BigInt(bits))
        .toString(2)
        .padStart(bits, "0"),
    )
    .join("");
  return (text.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

function clock(at: number): readonly number[] {
  const date = new Date(at);
  return [
    ...packed([date.getUTCFullYear(), word]),
    ...[date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()],
  ];
}

/** Two digits in a byte, as a number. */
function idBytes(imei: string): readonly number[] {
  return (imei.match(/\d{1,2}/g) ?? []).map(Number);
}

function message(
  imei: string,
  kind: number,
  content: readonly number[],
  sentAt: number,
  mask = 0x00fc_1fbf,
): Uint8Array {
  const cell = [0x02, 0x68, 0x00, 0x03, 0x18, 0x9c, 0x1a, 0xc5, 0x00];
  const mileages = [...packed([0, long]), 0, ...packed([528, long]), 8];
  const own = [
    ...[0x45, 0x01, 0x02, 0x02, 0x09, ...idBytes(imei), 95, ...packed([12_400, word]), 0x22, 9],
    ...content,
    ...(kind === 100 ? cell : []),
    ...mileages,
    ...new Array<number>(9).fill(0),
    ...clock(sentAt),
    ...[0x19, 0xe2, 0x4e, 0x4e, 0x0d, 0x0a],
  ];
  const length = 4 + 1 + 4 + 2 + own.length;
  return Uint8Array.of(...Buffer.from("+RSP"), kind, ...packed([mask, long], [length, word]), ...own);
}

export function binaryReport(imei: string, { point, at, sentAt, accuracy, mask }: BinaryReport): Uint8Array {
  const { longitude, latitude, speed, heading } = point;
  const motion = packed([Math.floor(speed / 10), word], [speed % 10, 8], [heading, word], [126, word]);
  const place = [...packed([longitude, long], [latitude, long]), ...clock(at)];
  const cell = [0x02, 0x68, 0x00, 0x03, 0x18, 0x9c, 0x1a, 0xc5, 0x00];
  return message(imei, 7, [0x10, 1, accuracy, ...motion, ...place, ...cell], sentAt, mask);
}

/** The first is whole. Null: a second without a point. */
export function compressedReport(imei: string, at: number, points: readonly (BinaryPoint | null)[]): Uint8Array {
  const bytes: number[] = [...packed([points.length, word])];
  let before: BinaryPoint | null = null;
  for (const point of points) {
    if (point === null) bytes.push(0xc0);
    else if (before === null) {
      bytes.push(...packed([1, 2], [0, 1], [point.speed, 12], [point.heading, 9]));
      bytes.push(...packed([point.longitude, long], [point.latitude, long], [at / 1_000, long]));
    } else {
      const difference = (name: keyof BinaryPoint) => point[name] - (before?.[name] ?? 0);
      const motion = [
        [difference("speed"), 7],
        [difference("heading"), 7],
      ] as const;
      bytes.push(...packed([2, 2], [0, 1], ...motion, [difference("longitude"), 12], [difference("latitude"), 11]));
    }
    before = point ?? before;
  }
  return message(imei, 100, bytes, at + points.length * 1_000);
}
