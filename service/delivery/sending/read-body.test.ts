import { randomBytes } from 'node:crypto';
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BodyReader, defaultBodyLimits } from './read-body.ts';

/** Sends a body in chunks of this size; returns what is kept of it. */
async function read(bytes: Buffer, { encoding = '', chunkSize = 1000 } = {}) {
  const over = Promise.withResolvers<Error | null>();
  const reader = new BodyReader(encoding, defaultBodyLimits, over.resolve);
  for (let at = 0; at < bytes.length; at += chunkSize) {
    await new Promise<void>((resolve) => {
      if (reader.write(bytes.subarray(at, at + chunkSize), resolve)) resolve();
    });
  }
  reader.end();
  const failure = await over.promise;
  return { failure: failure?.name ?? null, ...reader.text() };
}

const text = 'Grüße aus der Küche, 世界 🌍. '.repeat(20);

describe('a body is decoded', () => {
  test.each([
    ['', Buffer.from(text)],
    ['identity', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
  ])('from %j, however it is cut into chunks', async (encoding, bytes) => {
    for (const chunkSize of [1, 7, 100_000]) {
      expect(await read(bytes, { encoding, chunkSize })).toEqual({
        failure: null,
        body: text,
        isTruncated: false,
      });
    }
  });

  test.each(['gzip', 'deflate', 'br', 'zstd'])(
    'fails for a body that is not %s',
    async (encoding) => {
      const { failure } = await read(Buffer.from('plain text it is'), { encoding });
      expect(failure).toBe('InvalidBodyError');
    },
  );

  // The last two are names that every object has.
  test.each(['lzma', 'constructor', '__proto__'])(
    'only from encodings that are known: one encoded as %s is kept as it arrived',
    async (encoding) => {
      const plain = { failure: null, body: text, isTruncated: false };
      expect(await read(Buffer.from(text), { encoding })).toEqual(plain);
    },
  );

  test.each([
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ])('without what follows the part that is compressed with %s', async (encoding, bytes) => {
    const followed = Buffer.concat([bytes, Buffer.alloc(100_000, 'more')]);
    for (const chunkSize of [1000, 200_000]) {
      const whole = { failure: null, body: text, isTruncated: false };
      expect(await read(followed, { encoding, chunkSize })).toEqual(whole);
    }
  });

  test('fails for a compressed body that ends too soon', async () => {
    const half = gzipSync(randomBytes(500)).subarray(0, 200);
    expect((await read(half, { encoding: 'gzip' })).failure).toBe('InvalidBodyError');
  });

  test.each(['gzip', 'br', 'zstd', 'deflate'])(
    'an empty %s one is just empty',
    async (encoding) => {
      expect(await read(Buffer.alloc(0), { encoding })).toMatchObject({ failure: null, body: '' });
    },
  );
});

describe('a body is read', () => {
  test.each(['', 'gzip'])('to its limit and not beyond, encoded as %j', async (encoding) => {
    const encode = encoding === 'gzip' ? gzipSync : (bytes: Buffer) => bytes;
    const fits = await read(encode(Buffer.alloc(65_536, 'a')), { encoding });
    expect(fits).toMatchObject({ failure: null, isTruncated: true });
    const over = await read(encode(Buffer.alloc(65_537, 'a')), { encoding });
    expect(over).toMatchObject({ failure: 'ResponseTooLargeError', isTruncated: true });
    expect(over.body).toBe('a'.repeat(4096));
  });

  test('up to a limit on received bytes, even if it decodes to nothing', async () => {
    const nothing = gzipSync('');
    const bytes = Buffer.concat(Array.from({ length: 10_000 }, () => nothing));
    expect((await read(bytes, { encoding: 'gzip' })).failure).toBe('ResponseTooLargeError');
  });

  test.each(['', 'gzip'])(
    'to a number of pieces, however small they are, encoded as %j',
    async (encoding) => {
      const bytes = encoding === 'gzip' ? gzipSync(randomBytes(3000)) : Buffer.alloc(3000, 'a');
      const over = await read(bytes, { encoding, chunkSize: 1 });
      expect(over).toMatchObject({ failure: 'FloodError', isTruncated: true });
      expect((await read(bytes, { encoding, chunkSize: 2 })).failure).toBeNull();
    },
  );
});

describe('the kept text can be stored in the database', () => {
  test('without NUL', async () => {
    expect((await read(Buffer.from('a\0b\0'))).body).toBe('ab');
  });

  test('of at most 4 KiB, not cut within a character', async () => {
    for (const padding of ['', 'x', 'xx', 'xxx']) {
      const { body, isTruncated } = await read(Buffer.from(padding + '🌍'.repeat(2000)));
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4096);
      expect(body).toBe(padding + '🌍'.repeat(padding === '' ? 1024 : 1023));
      expect(isTruncated).toBe(true);
    }
  });

  test('of at most 4 KiB even where every byte is wrong and must be replaced', async () => {
    const { body, isTruncated } = await read(Buffer.alloc(4096, 0xff));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(4096);
    expect(body).toMatch(/^�+$/);
    expect(isTruncated).toBe(true);
  });

  test('without a lone half of a pair', async () => {
    const { body } = await read(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]));
    expect(body.isWellFormed()).toBe(true);
  });
});
