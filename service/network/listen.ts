import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { errorCode } from '../error-code.ts';
import { StartError } from '../start-error.ts';

/**
 * Makes a server listen.
 *
 * @param place `port`: 0 for any free one, or a server that already listens, whose port this one
 *   takes over
 * @returns the port on which it listens
 * @throws StartError if the operator can do something about the cause
 */
export async function listen(
  server: Server,
  { port, host }: { port: number | Server; host: string },
): Promise<number> {
  try {
    if (typeof port === 'number') server.listen({ port, host });
    else server.listen(port);
    await once(server, 'listening');
  } catch (error) {
    throw typeof port === 'number' ? explain(error, { port, host }) : error;
  }
  return (server.address() as AddressInfo).port;
}

const noSuchAddress = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAFNOSUPPORT']);

/** Returns the error itself if its cause is unknown. */
function explain(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to another port.`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(
      `This user may not listen on port ${port}. Set PORT to 1024 or higher, or give the process the right to use lower ports.`,
    );
  }
  if (code !== null && noSuchAddress.has(code)) {
    return new StartError(
      `Cannot listen on ${host} (${code}). Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.`,
    );
  }
  return error;
}
