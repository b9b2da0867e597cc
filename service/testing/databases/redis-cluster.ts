import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { unusedPort } from '#lib/testing/loopback.ts';

const slots = 16_384;

/** Whether this machine can start a Redis Cluster. */
export const hasRedisServer = await promisify(execFile)('redis-server', ['--version']).then(
  () => true,
  () => false,
);

/**
 * A Redis Cluster of three nodes on loopback, each with a third of the slots.
 *
 * @returns the URL of each node
 */
export async function startRedisCluster(): Promise<{ urls: string[]; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
  const ports = [await unusedPort(), await unusedPort(), await unusedPort()];
  const processes: ChildProcess[] = [];
  for (const port of ports) {
    const options = {
      bind: '127.0.0.1',
      port,
      'cluster-enabled': 'yes',
      'cluster-port': await unusedPort(),
      'cluster-config-file': `${port}.conf`,
      dir: folder,
      save: '',
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    processes.push(spawn('redis-server', words, { stdio: 'ignore' }));
  }
  const nodes = ports.map((port) => new Redis({ port, maxRetriesPerRequest: null }));
  for (const node of nodes) node.on('error', () => undefined);
  const third = Math.ceil(slots / nodes.length);
  for (const [index, node] of nodes.entries()) {
    const last = Math.min((index + 1) * third, slots) - 1;
    await node.call('CLUSTER', 'ADDSLOTSRANGE', index * third, last);
    const bus = processes[0]?.spawnargs.at(processes[0].spawnargs.indexOf('--cluster-port') + 1);
    if (index > 0) await node.call('CLUSTER', 'MEET', '127.0.0.1', ports[0] ?? 0, bus ?? 0);
  }
  const areReady = async () => {
    const states = await Promise.all(nodes.map(async (node) => await node.cluster('INFO')));
    return states.every((state) => state.includes('cluster_state:ok'));
  };
  await vi.waitUntil(areReady, { timeout: 30_000, interval: 100 });
  for (const node of nodes) node.disconnect();
  return {
    urls: ports.map((port) => `redis://127.0.0.1:${port}`),
    async close() {
      for (const process of processes) {
        const exited = once(process, 'exit');
        process.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
