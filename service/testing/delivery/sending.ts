import { onTestFinished } from 'vitest';
import type { Environment } from '../../config/environment.ts';
import type { SenderOptions } from '../../delivery/sending/send.ts';
import { startReceiver } from './receiver.ts';
import type { Receiver } from './receiver.ts';
import { TestSender } from './sender.ts';

/** A receiver that is closed when the test ends. */
export async function receiving(options?: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const receiver = await startReceiver(options);
  onTestFinished(async () => await receiver.close());
  return receiver;
}

/** A sender that is closed when the test ends, and which must not have logged an error by then. */
export function sending({
  environment,
  ...options
}: Partial<SenderOptions> & { environment?: Environment } = {}): TestSender {
  const sender = new TestSender(environment, options);
  onTestFinished(async () => {
    await sender.close();
    sender.log.assertNoUnexpectedErrors();
  });
  return sender;
}
