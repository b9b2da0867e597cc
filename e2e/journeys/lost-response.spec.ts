import { expect } from '@playwright/test';
import { keysOf } from '#lib/object-keys.ts';
import { isRemote, test } from '../fixtures.ts';
import { everyWay, leaveBy, otherAccount } from '../pages/leaving.ts';
import { addAccounts } from '../pages/people/members.ts';
import { readWebhook } from '../pages/webhooks.ts';
import { acts } from './lost-response-journey/acts.ts';
import { expectOne, expectUnconfirmed } from './lost-response-journey/expect-recovery.ts';
import {
  doOnce,
  leaveWhileOnItsWay,
  leaveWhileShown,
  pressWithHeldResponse,
} from './lost-response-journey/lose-response.ts';
import type { World } from './lost-response-journey/world.ts';

let world: World;

test.skip(isRemote, 'adds members and accounts');
test.beforeEach(
  async ({ api, givenApiKey, givenWebhook, guard, named, request, service, signedIn: page }) => {
    guard.allow(/net::ERR_FAILED/);
    world = { page, service, api, request, named, givenApiKey, givenWebhook };
  },
);

test.describe('a lost response at every step with every way of leaving', () => {
  // The journey of the support role loses the response to a rotation on request.
  test('keys', async () => {
    // First, so that the list, which is opened later, includes them.
    const rotated = await acts['rotate a key'].prepare(world);
    const created = await doOnce(world, 'create a key', {
      onItsWay: ['a link', 'the command palette'],
      whileShown: 'Back',
      end: 'Back',
    });
    await doOnce(world, 'show a new token', {
      target: created,
      onItsWay: ['Back'],
      whileShown: 'a reload',
      end: 'Done',
    });
    await doOnce(world, 'rotate a key', {
      target: rotated,
      onItsWay: ['a reload', 'closing the tab'],
      whileShown: 'closing the tab',
      end: 'closing the tab',
    });
  });

  test('webhooks', async () => {
    await addOtherAccount();
    const signed = await acts['regenerate a secret'].prepare(world);
    const created = await doOnce(world, 'create a webhook', {
      onItsWay: ['another account', 'a reload'],
      whileShown: 'Back',
      end: 'a reload',
    });
    await doOnce(world, 'finish a set-up', {
      target: created,
      onItsWay: ['signing out', 'Back'],
      whileShown: 'a reload',
      end: 'Done',
    });
    await doOnce(world, 'regenerate a secret', {
      target: signed,
      onItsWay: ['closing the tab'],
      whileShown: 'Back',
      end: 'Back',
    });
  });

  test('webhooks, left before the response arrives', async () => {
    await test.step('create a webhook: its secret, and leave before it is there', async () => {
      await leaveWhileOnItsWay(world, 'create a webhook: its secret', 'signing out');
    });
    await test.step('create a webhook, and leave before its response arrives', async () => {
      const { held: response, target } = await pressWithHeldResponse(
        world,
        acts['create a webhook'],
      );
      await response.arrived;
      await leaveBy(world.page, 'a link', 'leave');
      await expect(world.page).toHaveURL('settings/api-keys');
      response.deliver();
      // The page was left, so no secret is created that nobody would be shown.
      await expectUnconfirmed(world, acts['create a webhook'], target);
      const { uuid } = await expectOne(world, acts['create a webhook'], target.name);
      expect((await readWebhook(world.api, uuid)).secret.was_shown).toBe(false);
    });
  });

  for (const name of keysOf(acts)) {
    test(`${name}: every way`, async () => {
      test.setTimeout(240_000);
      await addOtherAccount();
      await doOnce(world, name, {
        onItsWay: everyWay,
        whileShown: 'Back',
        end: 'Done',
      });
      for (const way of everyWay) {
        await test.step(`in flight: ${way}`, () => leaveWhileOnItsWay(world, name, way));
        await test.step(`while it is shown: ${way}`, () => leaveWhileShown(world, name, way));
      }
    });
  }
});

async function addOtherAccount(): Promise<void> {
  const { service } = world;
  await addAccounts(service, { names: [otherAccount], owner: service.owner });
}
