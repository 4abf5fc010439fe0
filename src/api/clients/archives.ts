/** Archives that hold their files as they are: their bytes depend on nothing else, and what is packed is small. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const blockBytes = 512;

/** A tar archive (ustar) in gzip's envelope, as npm installs it. */
export function tarGz(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const blocks = files.flatMap(({ name, bytes }) => [tarHeader(name, bytes.length), inBlocks(bytes)]);
  const tar = Buffer.concat([...blocks, new Uint8Array(2 * blockBytes)]);
  return new Uint8Array(Bun.gzipSync(new Uint8Array(tar), { level: 0 }));
}

function tarHeader(name: string, size: number): Uint8Array {
  const header = Buffer.alloc(blockBytes);
  if (header.write(name) > 99) throw new Error(`${name} is too long a name for a tar archive`);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(0, 11), 108);
  // The sum is counted as if its own place were blank.
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}

function inBlocks(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / blockBytes) * blockBytes);
  padded.set(bytes);
  return padded;
}

/** 1980-01-01, the first day that a zip can name, as DOS counts. */
const dosDate = 0x21;

/** A zip archive, as a wheel is one. */
export function zip(files: readonly PackedFile[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const encoded = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(dosDate, 8);
    common.writeUInt32LE(Bun.hash.crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(encoded.length, 22);
    const place = Buffer.alloc(14);
    // An ordinary file that all may read, as Unix has it in the upper half.
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    // Made on Unix (3), by version 2.0 of the format.
    directory.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, place, encoded);
    const file = [Buffer.from("PK\x03\x04", "latin1"), common, encoded, bytes];
    parts.push(...file);
    offset += file.reduce((total, part) => total + part.length, 0);
  }
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]));
}
