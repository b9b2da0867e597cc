import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder for temporary files, which is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = create();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for the suite that calls this: removed after its own hooks. */
export function useTemporaryFolder(): string {
  const folder = create();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function create(): string {
  return mkdtempSync(join(tmpdir(), 'test-'));
}
