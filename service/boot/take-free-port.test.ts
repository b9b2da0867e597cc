import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { takeFreePort } from './take-free-port.ts';

test('a port that was chosen freely is part of every address, and the listener takes it over', async () => {
  const { config, held } = await takeFreePort({ PORT: '0' }, loadConfig({ PORT: '0' }));
  expect(config.port).toBeGreaterThan(0);
  expect(config.publicUrl.origin).toBe(`http://localhost:${config.port}`);
  expect(config.apiBaseUrl.origin).toBe(`http://127.0.0.1:${config.port}`);

  const server = createServer((_request, response) => response.end('answered')).listen(held);
  await once(server, 'listening');
  expect(await (await fetch(config.apiBaseUrl)).text()).toBe('answered');
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await expect(fetch(config.apiBaseUrl)).rejects.toThrow('fetch failed');
});

test('an address that this machine does not have stops the start with a message that names HOST', async () => {
  const environment = { PORT: '0', HOST: '192.0.2.1' };
  await expect(takeFreePort(environment, loadConfig(environment))).rejects.toThrow(
    'Cannot listen on 192.0.2.1 (EADDRNOTAVAIL). Set HOST to an address of this machine',
  );
});
