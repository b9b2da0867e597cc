import { loadConfig } from '../../config/load-config.ts';
import type { AttemptResult, Outgoing, Sender } from '../../delivery/sending/attempt.ts';
import { createSender } from '../../delivery/sending/send.ts';
import type { SenderOptions } from '../../delivery/sending/send.ts';
import type { Environment } from '../../config/environment.ts';
import { FakeClock } from '../clock.ts';
import { TestLog } from '../logger.ts';
import { testAuthority } from './certificates.ts';

/** Allows a sender to reach receivers on loopback. */
export const reachesLoopback: Environment = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1',
};

/**
 * A sender like that of the service, which trusts the test authority. A test that waits for the end
 * of an attempt's time passes a shorter one.
 */
export class TestSender {
  readonly log = new TestLog();
  readonly clock = new FakeClock();
  readonly #sender: Sender;

  constructor(environment: Environment = {}, options: Partial<SenderOptions> = {}) {
    this.#sender = createSender(
      {
        config: loadConfig({ ...reachesLoopback, ...environment }),
        clock: this.clock,
        log: this.log.logger,
      },
      { ca: testAuthority, ...options },
    );
  }

  async send(url: string, more: Partial<Outgoing> = {}): Promise<AttemptResult> {
    return await this.#sender.send({
      url,
      messageId: 'msg_1',
      body: '{"type":"message.created"}',
      secrets: [],
      headers: {},
      replayUuid: null,
      ...more,
    });
  }

  async close(): Promise<void> {
    await this.#sender.close();
  }
}
