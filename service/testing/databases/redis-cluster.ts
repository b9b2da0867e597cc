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
  const members: ClusterNode[] = [];
  while (members.length < 3) members.push(await startNode(folder));
  const nodes = members.map(({ client }) => client);
  const third = Math.ceil(slots / nodes.length);
  for (const [index, node] of nodes.entries()) {
    const last = Math.min((index + 1) * third, slots) - 1;
    await node.call('CLUSTER', 'ADDSLOTSRANGE', index * third, last);
    const [first] = members;
    if (index > 0 && first) await node.call('CLUSTER', 'MEET', '127.0.0.1', first.port, first.bus);
  }
  const areReady = async () => {
    const states = await Promise.all(nodes.map(async (node) => await node.cluster('INFO')));
    return states.every((state) => state.includes('cluster_state:ok'));
  };
  await vi.waitUntil(areReady, { timeout: 30_000, interval: 100 });
  for (const node of nodes) node.disconnect();
  return {
    urls: members.map(({ port }) => `redis://127.0.0.1:${port}`),
    async close() {
      for (const { server } of members) {
        const exited = once(server, 'exit');
        server.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type ClusterNode = { server: ChildProcess; client: Redis; port: number; bus: number };

/** Starts a node on other ports if something else took one of them before it could listen. */
async function startNode(folder: string): Promise<ClusterNode> {
  const [port, bus] = [await unusedPort(), await unusedPort()];
  const options = {
    bind: '127.0.0.1',
    port,
    'cluster-enabled': 'yes',
    'cluster-port': bus,
    'cluster-config-file': `${port}.conf`,
    dir: folder,
    save: '',
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', words, { stdio: 'ignore' });
  const exited = once(server, 'exit').then(() => false);
  const client = new Redis({ port, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const answered = client.cluster('INFO').then(
    () => true,
    () => exited,
  );
  const isServing = await Promise.race([exited, answered]);
  if (isServing) return { server, client, port, bus };
  client.disconnect();
  return await startNode(folder);
}
