import zlib from 'node:zlib';

type Pixels = { width: number; height: number; colors: Uint32Array };

/**
 * Writes a picture of Chromium again with a palette of 256 colors, in a fraction of the bytes. The
 * rarest colors, at the edges of letters, become the nearest that remains.
 */
export function compressPng(png: Buffer): Buffer {
  const { width, height, colors } = readPixels(png);
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([color]) => color);
  const indexes = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]));

  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, color] of colors.entries()) {
    // Each row begins with its filter, 0 for none.
    rows[index + Math.floor(index / width) + 1] = indexes.get(color) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, pixelsAre.indexes], 8);
  return Buffer.concat([
    png.subarray(0, signatureLength),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', zlib.deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const signatureLength = 8;
const pixelsAre = { rgb: 2, indexes: 3, rgba: 6 };

/** @see https://www.w3.org/TR/png-3/#9Filters */
function readPixels(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const bytes = png[25] === pixelsAre.rgba ? 4 : 3;
  const data = zlib.inflateSync(Buffer.concat(dataChunks(png)));
  const colors = new Uint32Array(width * height);
  let above: Uint8Array = new Uint8Array(width * bytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (width * bytes + 1);
    const row = data.subarray(start + 1, start + 1 + width * bytes);
    const predict = predictors[data[start] ?? 0];
    for (let x = 0; x < row.length; x += 1) {
      const [left, up, corner] = [row[x - bytes] ?? 0, above[x] ?? 0, above[x - bytes] ?? 0];
      row[x] = (row[x] ?? 0) + (predict?.(left, up, corner) ?? 0);
    }
    for (let x = 0; x < width; x += 1) colors[y * width + x] = row.readUIntBE(x * bytes, 3);
    above = row;
  }
  return { width, height, colors };
}

function dataChunks(png: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = signatureLength; at < png.length; at += png.readUInt32BE(at) + 12) {
    const isData = png.toString('latin1', at + 4, at + 8) === 'IDAT';
    if (isData) chunks.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return chunks;
}

const predictors = [
  () => 0,
  (left: number) => left,
  (_left: number, up: number) => up,
  (left: number, up: number) => (left + up) >> 1,
  (left: number, up: number, corner: number) => {
    const estimate = left + up - corner;
    const off = (value: number) => Math.abs(estimate - value);
    if (off(left) <= off(up) && off(left) <= off(corner)) return left;
    return off(up) <= off(corner) ? up : corner;
  },
];

function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((known) => distance(known, color));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: number, other: number): number {
  const [red, green, blue] = channels(one);
  const [otherRed, otherGreen, otherBlue] = channels(other);
  return (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
}

function channels(color: number): [red: number, green: number, blue: number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(zlib.crc32(body));
  return Buffer.concat([length, body, checksum]);
}
