import { createServer } from 'node:net';
import type { Server } from 'node:net';
import type { Environment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/load-config.ts';
import { listen } from '../network/listen.ts';

/**
 * The configuration of a process that listens on any free port (PORT=0). The port is taken before
 * anything else starts, because addresses in emails and on pages contain it.
 *
 * @throws StartError if this machine does not have the address in HOST
 * @returns the configuration with that port, and the server that holds the port until the listener
 *   takes it over
 */
export async function takeFreePort(
  environment: Environment,
  { host }: Config,
): Promise<{ config: Config; held: Server }> {
  const held = createServer();
  const port = await listen(held, { port: 0, host });
  const config = loadConfig({ ...environment, PORT: String(port), PORT_FILE: undefined });
  return { config, held };
}
