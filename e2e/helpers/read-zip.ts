import { inflateRawSync } from 'node:zlib';

/** The files of a zip archive, as text. All must be complete and unencrypted. */
export function readZip(archive: Buffer): { name: string; text: string }[] {
  const end = archive.lastIndexOf(endOfDirectory);
  if (end === -1) throw new Error('this is no zip archive');
  const files: { name: string; text: string }[] = [];
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packedBytes, nameBytes, extraBytes, commentBytes] = [
      archive.readUInt32LE(entry + 20),
      archive.readUInt16LE(entry + 28),
      archive.readUInt16LE(entry + 30),
      archive.readUInt16LE(entry + 32),
    ];
    const isPacked = archive.readUInt16LE(entry + 10) !== 0;
    const header = archive.readUInt32LE(entry + 42);
    // The name and the extra field of the file itself may be longer than those of the directory.
    const start =
      header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const content = archive.subarray(start, start + packedBytes);
    files.push({
      name: archive.toString('utf8', entry + 46, entry + 46 + nameBytes),
      text: (isPacked ? inflateRawSync(content) : content).toString('utf8'),
    });
    entry += 46 + nameBytes + extraBytes + commentBytes;
  }
  return files;
}

const endOfDirectory = Buffer.from('PK\u0005\u0006');
