import { expect } from '@playwright/test';
import { test } from '../fixtures.ts';
import { saveSecret } from './save-secret.ts';
import { signIn } from './sign-in.ts';

test('a webhook is created and gets a new secret, a press on a delivery’s row opens it, and a test is sent', async ({
  owner,
  receiver,
  service,
  tab,
  writeMessage,
}) => {
  await signIn(tab, { owner, service });
  await tab.press('link', 'Webhooks');
  await tab.press('link', 'Create webhook');
  await tab.fill('Name', 'Orders');
  await tab.fill('URL', receiver.url);
  await tab.press('radio', 'Chosen types');
  await tab.press('checkbox', 'A message was written in a conversation.');
  await tab.press('button', 'Create webhook');
  await saveSecret(tab, { kind: 'Signing secret', subject: 'Orders' });
  await tab.press('button', 'Send a test event');
  const first = tab.inside('dialog', 'Send a test to Orders');
  await first.press('button', 'Close');

  await tab.press('button', 'Actions for Orders');
  await tab.press('menuitem', 'Regenerate secret');
  const question = tab.inside('dialog', 'Regenerate secret of Orders');
  await question.press('radio', 'Now');
  await question.press('button', 'Regenerate secret');
  const secret = await saveSecret(tab, { kind: 'Signing secret', subject: 'Orders' });

  await writeMessage('The first.');
  expect(receiver.verify(await receiver.received(1), secret)).toBe(true);
  await tab.press('link', 'Deliveries');
  const table = tab.inside('table', 'Deliveries of Orders');
  await table.says('message.created');
  await table.press('cell');
  const drawer = tab.inside('dialog');
  await drawer.says('The first.');
  await drawer.press('button', 'Close');
  await tab.lacks('dialog');
  // Nothing in the rows covers the rest of the page.
  await tab.press('button', 'Send test');
  const sending = tab.inside('dialog', 'Send a test to Orders');
  await sending.press('button', 'Send test');
  await sending.inside('status', 'Result of the test').says('Delivered');
});
