import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import type { Logger } from '../log/log.ts';
import { readAdminCommand } from './commands.ts';
import type { AdminContext, AdminOutcome } from './outcome.ts';
import { findAdminSocket, prepareAdminSocket } from './socket-path.ts';

/** How long the service waits for a client to send its command. */
const requestTimeoutMs = 5000;
/** How long a client waits for the next sign of life: longer than the service may be busy. */
const responseTimeoutMs = 60_000;
/** How often a running command sends a sign: a space before the JSON of its outcome. */
const defaultSignEveryMs = 10_000;
const largestRequestBytes = 64 * 1024;

const requestSchema = z.object({ args: z.array(z.string()) });
const outcomeSchema = z.object({
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  text: z.string(),
  isReport: z.literal(true).optional(),
});

/**
 * Accepts operator commands over a Unix socket that only its own user can open, and runs them in
 * this process. A client sends `{"args": […]}`, ends its side, and reads an `AdminOutcome`, both as
 * JSON.
 *
 * @returns null if no socket can be created; commands then need the service to be stopped
 */
export async function listenForAdminCommands(
  ctx: AdminContext,
  dataDir: string,
  signEveryMs = defaultSignEveryMs,
): Promise<{ close(): Promise<void> } | null> {
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    void respond(ctx, client, signEveryMs);
  });
  try {
    const path = await prepareAdminSocket(dataDir);
    // A process that was killed may have left a socket. The lock on the data folder shows that it
    // has ended.
    await rm(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    await chmod(path, 0o600);
  } catch (error) {
    server.close();
    ctx.log.warn({ err: error }, 'no admin socket: stop the service to run operator commands');
    return null;
  }
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

async function respond(ctx: AdminContext, client: Socket, signEveryMs: number): Promise<void> {
  // A client may disconnect at any moment.
  client.on('error', () => undefined);
  client.setTimeout(requestTimeoutMs, () => client.destroy());
  try {
    const args = await readRequest(client);
    client.setTimeout(0);
    const signs = setInterval(() => client.write(' '), signEveryMs);
    try {
      client.end(JSON.stringify(await run(ctx, args)));
    } finally {
      clearInterval(signs);
    }
  } catch {
    client.destroy();
  }
}

async function readRequest(client: Socket): Promise<string[]> {
  let request = '';
  for await (const chunk of client.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    request += String(chunk);
    if (request.length > largestRequestBytes) throw new Error('The request is too long.');
  }
  return requestSchema.parse(JSON.parse(request)).args;
}

async function run(ctx: AdminContext, args: readonly string[]): Promise<AdminOutcome> {
  const command = readAdminCommand(args);
  if (typeof command !== 'function') return command;
  try {
    return await command(ctx);
  } catch (error) {
    ctx.log.error({ err: error, command: args[0] }, 'an operator command failed');
    return { exitCode: 1, text: 'The command failed. See the log of the service for the reason.' };
  }
}

/** Has the service that runs on a data folder execute a command; null if none is reached. */
export async function askRunningService({
  dataDir,
  args,
  log,
}: {
  dataDir: string;
  args: readonly string[];
  log: Logger;
}): Promise<AdminOutcome | null> {
  const path = await findAdminSocket(dataDir);
  if (path === null) return null;
  const socket = connect({ path, allowHalfOpen: true });
  try {
    await once(socket, 'connect');
  } catch (error) {
    // Nobody listens: the service was killed, or is about to stop.
    log.debug({ err: error }, 'no service listens on the admin socket');
    return null;
  }
  try {
    socket.setTimeout(responseTimeoutMs, () => socket.destroy(new Error('timeout')));
    socket.end(JSON.stringify({ args }));
    return outcomeSchema.parse(JSON.parse(await readText(socket)));
  } catch {
    return {
      exitCode: 1,
      text: 'The running service did not respond, so it is unknown whether it executed the command. Check with list-accounts or list-members, then run the command again if needed.',
    };
  } finally {
    socket.destroy();
  }
}
