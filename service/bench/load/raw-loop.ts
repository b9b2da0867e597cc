import { Pool } from 'undici';
import { signMessage } from '../../delivery/sending/sign.ts';
import { importSecret, newSecret } from '../../domain/webhooks/secret/secret.ts';
import { payloadOf } from '../setup/payload.ts';
import type { Sink } from '../setup/start-sink.ts';

const secret = importSecret(newSecret());

/** The yardstick: signed requests with the same bodies to the same sink, and no other work. */
export class RawLoop {
  readonly #pool: Pool;

  constructor({ origin }: Sink, connections: number) {
    this.#pool = new Pool(origin, { connections });
  }

  async post(number: number): Promise<void> {
    const body = JSON.stringify(payloadOf(number));
    const messageId = `msg_${crypto.randomUUID()}`;
    const timestamp = Math.floor(Date.now() / 1000);
    const { body: response } = await this.#pool.request({
      path: '/raw',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signMessage({ messageId, timestamp, body }, [secret]),
      },
      body,
    });
    await response.dump();
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
