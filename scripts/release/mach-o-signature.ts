/**
 * The ad-hoc signature of a program for macOS, made and checked without a Mac. macOS ends a program at once whose pages
 * do not have the hashes that its signature names. Bun 1.4.4 signs a program for Apple's processors again after it has
 * put our code in. In one for Intel it leaves Bun's own signature, which then no longer holds: we sign that one.
 */
import { createHash } from "node:crypto";

const machO64 = 0xfeedfacf;
const segmentCommand = 0x19;
const codeSignatureCommand = 0x1d;
const superBlobMagic = 0xfade0cc0;
const codeDirectoryMagic = 0xfade0c02;
/** The first with an executable segment, and all that an ad-hoc signature needs. */
const codeDirectoryVersion = 0x20400;
/** Ad hoc, and made by a linker: `codesign` may put another in its place. */
const flags = 0x20002;
const sha256Type = 2;
const hashBytes = 32;
const pageBits = 12;
const pageBytes = 2 ** pageBits;
/** The size in memory of the last segment is a multiple of this, as in what Bun writes. */
const segmentBytes = 0x1000;
const superBlobHeadBytes = 20;
const codeDirectoryHeadBytes = 88;

/** The program with a signature that holds. */
export function signMachO(program: Buffer, identifier: string): Buffer {
  const { signature, segment } = loadCommands(program);
  const codeLimit = program.readUInt32LE(signature + 8);
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(codeLimit / pageBytes);
  const hashesAt = codeDirectoryHeadBytes + name.length;
  const directoryBytes = hashesAt + pages * hashBytes;
  const signatureBytes = superBlobHeadBytes + directoryBytes;

  const signed = Buffer.alloc(codeLimit + signatureBytes);
  program.copy(signed, 0, 0, codeLimit);
  signed.writeUInt32LE(signatureBytes, signature + 12);
  const linkEdit = segment("__LINKEDIT");
  const linkEditBytes = signed.length - Number(signed.readBigUInt64LE(linkEdit + 40));
  signed.writeBigUInt64LE(BigInt(Math.ceil(linkEditBytes / segmentBytes) * segmentBytes), linkEdit + 32);
  signed.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit + 48);

  const superBlob = signed.subarray(codeLimit);
  for (const [index, value] of [superBlobMagic, signatureBytes, 1, 0, superBlobHeadBytes].entries()) {
    superBlob.writeUInt32BE(value, index * 4);
  }
  const directory = superBlob.subarray(superBlobHeadBytes);
  const head = [codeDirectoryMagic, directoryBytes, codeDirectoryVersion, flags, hashesAt, codeDirectoryHeadBytes, 0];
  for (const [index, value] of [...head, pages, codeLimit].entries()) directory.writeUInt32BE(value, index * 4);
  directory.set([hashBytes, sha256Type, 0, pageBits], 36);
  // The executable segment: where it begins, how long it is, and that it is that of a main program.
  const text = segment("__TEXT");
  directory.writeBigUInt64BE(program.readBigUInt64LE(text + 40), 64);
  directory.writeBigUInt64BE(program.readBigUInt64LE(text + 48), 72);
  directory.writeBigUInt64BE(1n, 80);
  directory.set(name, codeDirectoryHeadBytes);
  for (let page = 0; page < pages; page++)
    directory.set(pageHash(signed, page, codeLimit), hashesAt + page * hashBytes);
  return signed;
}

/** Undefined if the program has an ad-hoc signature that holds; otherwise what is wrong. */
export function faultOfMachOSignature(program: Buffer): string | undefined {
  const { signature } = loadCommands(program);
  const offset = program.readUInt32LE(signature + 8);
  const size = program.readUInt32LE(signature + 12);
  if (offset + size !== program.length) return "the signature is not the end of the file";
  const directory = program.subarray(offset + superBlobHeadBytes);
  if (program.readUInt32BE(offset + 8) !== 1 || directory.readUInt32BE(0) !== codeDirectoryMagic) {
    return "the signature is not an ad-hoc one";
  }
  const hashesAt = directory.readUInt32BE(16);
  const pages = directory.readUInt32BE(28);
  if (directory.readUInt32BE(12) !== flags) return "the signature is not an ad-hoc one";
  if (directory.readUInt32BE(32) !== offset || pages !== Math.ceil(offset / pageBytes)) {
    return "the signature does not cover the whole program";
  }
  if (directory[37] !== sha256Type || directory[39] !== pageBits) return "the signature has hashes of another kind";
  for (let page = 0; page < pages; page++) {
    const named = directory.subarray(hashesAt + page * hashBytes, hashesAt + (page + 1) * hashBytes);
    if (!pageHash(program, page, offset).equals(named)) return `page ${page} is not the one that was signed`;
  }
  return undefined;
}

function pageHash(program: Buffer, page: number, codeLimit: number): Buffer {
  const bytes = program.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, codeLimit));
  return createHash("sha256").update(bytes).digest();
}

/** Where in the file the commands are that say where the signature and the segments are. */
function loadCommands(program: Buffer) {
  if (program.readUInt32LE(0) !== machO64) throw new Error("not a program for macOS");
  const segments = new Map<string, number>();
  let signature = 0;
  let at = 32;
  for (let left = program.readUInt32LE(16); left > 0; left--) {
    const kind = program.readUInt32LE(at);
    if (kind === codeSignatureCommand) signature = at;
    if (kind === segmentCommand) segments.set(program.toString("latin1", at + 8, at + 24).replace(/\0+$/, ""), at);
    at += program.readUInt32LE(at + 4);
  }
  if (signature === 0) throw new Error("the program has no place for a signature");
  const segment = (name: string): number => {
    const found = segments.get(name);
    if (found === undefined) throw new Error(`the program has no segment ${name}`);
    return found;
  };
  return { signature, segment };
}
