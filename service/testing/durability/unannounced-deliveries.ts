import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { isFullRun } from '../full-run.ts';
import { DeliveryClient } from './delivery-client.ts';
import { DeliveryInstallation } from './delivery-installation.ts';
import { countRepaired } from './delivery-records.ts';

/**
 * How long an event may wait of which no worker was notified: the sweep's interval plus its minimum
 * age.
 */
const repairedWithinMs = 15_000;

const diesBeforeWake = new URL('../processes/preloads/dies-before-wake.ts', import.meta.url);

/**
 * In production the sweep runs every ten seconds; in the short form of this test, twice a second.
 */
const sweeps = isFullRun ? [] : [new URL('../processes/preloads/quick-sweeps.ts', import.meta.url)];

/** An event whose publisher died before it notified a worker is still delivered. */
export function describeUnannouncedDeliveries(engine: OpenDatabase['engine']): void {
  let installation: DeliveryInstallation;
  beforeEach(async () => {
    installation = await DeliveryInstallation.open(engine);
  });
  afterEach(() => installation.close());

  test(`deliveries on ${engine} whose publisher died before it notified a worker are found by the sweep`, async ({
    annotate,
  }) => {
    const { receiver } = installation;
    const isEmbedded = engine === 'pglite';
    const dying = await installation.start(isEmbedded ? 'api,worker' : 'api', diesBeforeWake);
    const other = isEmbedded ? null : await installation.start('worker', ...sweeps);
    const client = new DeliveryClient(installation.token);
    await client.addWebhooks(dying.origin, receiver.origin, 1);
    await expect(client.publish(dying.origin)).rejects.toThrow('fetch failed');
    await dying.kill();
    const repairer = other ?? (await installation.start('api,worker', ...sweeps));
    const began = performance.now();
    await receiver.received(1);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeLessThan(repairedWithinMs);
    expect(await countRepaired(repairer)).toBe(1);
    await annotate(`arrived ${Math.round(tookMs)} ms after there was a worker`);
  }, 300_000);
}
