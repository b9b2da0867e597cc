import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ReceivedBytesLimit } from './received-bytes-limit.ts';

/** Opens a connection to a target, without TLS. */
type Dial = (
  target: buildConnector.Options,
  callback: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;

export type ConnectorOptions = {
  connectTimeoutMs: number;
  /** Certificate authorities to trust instead of the default ones, in PEM. */
  ca: string | undefined;
  /** How many bytes a connection may receive for each request, counted below TLS. */
  maxReceivedBytes: number;
};

/** Dials, starts TLS if the target is https, and limits how many bytes are received. */
export function createBoundedConnector(
  dial: Dial,
  { connectTimeoutMs, ca, maxReceivedBytes }: ConnectorOptions,
): buildConnector.connector {
  const secure = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    ...(ca !== undefined && { ca }),
  });
  return (target, callback) =>
    dial(target, (error, wire) => {
      if (error) {
        callback(error, null);
        return;
      }
      const bound = new ReceivedBytesLimit(wire, maxReceivedBytes);
      if (target.protocol !== 'https:') {
        bound.watch(wire);
        callback(null, wire);
        return;
      }
      // The TLS socket emits the errors of this one.
      wire.on('error', () => undefined);
      secure({ ...target, httpSocket: wire }, (failure, socket) => {
        if (failure) {
          callback(bound.failure ?? failure, null);
          return;
        }
        bound.watch(socket);
        callback(null, socket);
      });
    });
}
