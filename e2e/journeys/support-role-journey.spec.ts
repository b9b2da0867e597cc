import { isRemote, test } from '../fixtures.ts';
import { addMember, changeRole, pageOf, sessionOf } from '../pages/people/members.ts';
import { diagnose, replay } from './support-role-journey/deliveries.ts';
import {
  declineRotation,
  findKey,
  letSupportSeeMore,
  requestRotation,
  revokeLeakedKey,
  rotateSmallKey,
} from './support-role-journey/keys.ts';
import { loseRole } from './support-role-journey/lowered-role.ts';

const account = 'Lumen Ltd';

test.use({ accountName: account });
test.skip(isRemote, 'adds members');
// A whole day of work in one test.
test.describe.configure({ timeout: 180_000 });

test('a day of support: keys that customers paste are found, rotated or requested, and a message that did not arrive is sent again', async ({
  api,
  browser,
  context,
  givenApiKey,
  givenWebhook,
  page: support,
  receiver,
  request,
  service,
}) => {
  const strong = await givenApiKey();
  const writing = await givenApiKey({ type: 'limited', scopes: ['messages:write'] });
  const small = await givenApiKey({ type: 'limited', scopes: ['webhooks:read'] });
  await addMember(service, { name: 'ann', role: 'admin' });
  const sam = await addMember(service, { name: 'sam', role: 'support' });
  await context.addCookies((await sessionOf(service, sam)).cookies);

  await findKey(support, { key: strong, other: small, account });
  await rotateSmallKey(support, small);
  const openAsOwner = async () => await pageOf(browser, service, service.owner);
  const { owner, token } = await requestRotation({ support, openAsOwner, request, key: strong });
  await declineRotation({ support, owner, key: writing });
  await letSupportSeeMore({ support, owner, key: writing });
  await revokeLeakedKey(support, { request, key: strong, token });
  await owner.context().close();

  const webhook = await givenWebhook({ url: receiver.url, isActive: true, hasSecret: true });
  await diagnose(support, { api, receiver, webhook });
  await replay(support, { api, receiver, webhook });

  const lower = async () => await changeRole(service, { person: sam, role: 'viewer' });
  await loseRole(support, { key: small, account, lower });
});
