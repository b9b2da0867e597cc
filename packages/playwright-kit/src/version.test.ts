import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { version } from './version.ts';

test('the kit has the version of the service', () => {
  for (const file of ['../package.json', '../../../package.json']) {
    const { version: found } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(found, file).toBe(version);
  }
});
