import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const left = ['.git', '.next', 'data', 'node_modules', 'reports', 'test-results'];

export type OtherBuild = { folder: string; remove: () => Promise<void> };

/**
 * Copies the project into another folder, and builds the dashboard there.
 *
 * @param change makes it the project of another version
 */
export async function buildElsewhere(
  change: { file: string; from: string; to: string } | null,
): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'e2e-build-'));
  const isLeft = (path: string) => left.some((name) => path === join(root, name));
  await cp(root, folder, { recursive: true, filter: (path) => !isLeft(path) });
  // As hard links, where the other folder is on the same file system.
  const packages = [join(root, 'node_modules'), folder];
  await run('cp', ['-al', ...packages]).catch(() => run('cp', ['-a', ...packages]));
  if (change !== null) {
    const path = join(folder, change.file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(change.from, change.to));
  }
  await run(process.execPath, ['scripts/build.ts'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
