import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connections } from './http-client.ts';
import type { HttpClient, HttpLoad } from './http-client.ts';

const script = fileURLToPath(new URL('./wrk-requests.lua', import.meta.url));

/** The output of the script at the end. */
type Summary = {
  responses: number;
  microseconds: number;
  /** Responses with a status of 400 or more; wrk counts no others. */
  refused: number;
  failed: number;
};

export function createWrk(version: string): HttpClient {
  return {
    name: `wrk ${version}`,
    async send(load) {
      const folder = await mkdtemp(join(tmpdir(), 'bench-wrk-'));
      const calls = join(folder, 'calls');
      await writeFile(calls, load.calls.map(({ path, token }) => `${path} ${token}\n`).join(''));
      const options = `--threads 1 --connections ${connections} --duration ${load.seconds}s`;
      const { stdout } = await promisify(execFile)('wrk', [
        ...options.split(' '),
        '--timeout',
        '10s',
        '--script',
        script,
        load.origin,
        '--',
        load.method,
        calls,
        load.body ?? '',
      ]);
      await rm(folder, { recursive: true });
      const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Summary;
      check(summary, load);
      const { responses, microseconds } = summary;
      return { responses, perSecond: (responses * 1e6) / microseconds };
    },
  };
}

function check({ responses, refused, failed }: Summary, { calls, status }: HttpLoad): void {
  const path = calls[0]?.path;
  if (failed > 0) throw new Error(`${failed} calls of ${path} failed`);
  const wrong = status >= 400 ? responses - refused : refused;
  if (wrong > 0) throw new Error(`${wrong} of ${responses} calls of ${path} did not get ${status}`);
}
