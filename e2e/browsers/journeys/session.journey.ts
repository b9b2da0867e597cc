import { test } from '../fixtures.ts';
import { signIn } from './sign-in.ts';

test('an owner signs in and signs out', async ({ home, owner, service, tab }) => {
  await signIn(tab, { owner, service });
  await tab.press('button', 'ada Owner Your menu');
  await tab.press('menuitem', 'Sign out');
  await tab.isAt('/sign-in');
  await tab.sees('button', 'Sign in');
  await tab.open(`${home}settings/webhooks`);
  await tab.isAt(/\/sign-in\?next=/);
});
