import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [4096, '4,096 bytes'],
  [65_536, '64.0 KiB'],
  [224_395_264, '214.0 MiB'],
  [19_756_849_562, '18.4 GiB'],
])('%i bytes are written %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
