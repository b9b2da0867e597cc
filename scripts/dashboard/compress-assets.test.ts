import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { compressAssets } from './compress-assets.ts';

test('each script and style gets a smaller Brotli and gzip file beside it, and a font gets none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = 'const words = ["token", "secret"];\n'.repeat(100);
  for (const file of ['page.js', 'page.css', 'font.woff2']) {
    writeFileSync(join(folder, file), script);
  }

  await compressAssets(folder);

  expect(readdirSync(folder).toSorted()).toEqual([
    'font.woff2',
    ...['page.css', 'page.js'].flatMap((file) => [file, `${file}.br`, `${file}.gz`]),
  ]);
  const [brotli, zipped] = ['br', 'gz'].map((form) =>
    readFileSync(join(folder, `page.js.${form}`)),
  );
  expect(brotliDecompressSync(brotli ?? '').toString()).toBe(script);
  expect(gunzipSync(zipped ?? '').toString()).toBe(script);
  expect(brotli?.length).toBeLessThan(script.length);
});
