import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { certificates } from '#service/testing/delivery/certificates.ts';

export type HttpsProxy = { origin: string; close: () => Promise<void> };

/**
 * What an operator puts in front of the service: it ends TLS and passes everything on. Browsers do
 * not know its certificate.
 * @param servicePort where the service listens, once it is known
 */
export async function startHttpsProxy(servicePort: () => number): Promise<HttpsProxy> {
  const open = new Set<{ destroy: () => void }>();
  const server = createServer(certificates.trusted, (client) => {
    const service = connect(servicePort(), 'localhost');
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
