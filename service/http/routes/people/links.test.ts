import { beforeAll, expect, test } from 'vitest';
import { linkKinds } from '#lib/contract/people/links.ts';
import type { LinkKind } from '#lib/contract/people/links.ts';
import { minuteMs } from '#lib/durations.ts';
import { setUpTokens } from '../../../db/schema/people/people.ts';
import { digestLinkToken, newLinkToken } from '../../../domain/people/links.ts';
import { createInvitation } from '../../../domain/people/invitations/create-invitation.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { askForEmailChange, resetLink } from '../../../testing/records/links.ts';
import { useContext } from '../../../testing/use-api.ts';

const ctx = useContext();
let api: TestApi;
let account: TestAccount;

beforeAll(async () => {
  api = new TestApi({ ...ctx, config: { ...ctx.config, smtpUrl: null } });
  account = await api.account();
});

async function call(path: string, body: object): Promise<ApiResponse> {
  return await api.asNobody().post(`/api/dashboard/${path}`, body);
}

const open = (kind: LinkKind, token: string) => call('links', { kind, token });

/** The token of a new link. */
const newLinks: Readonly<Record<LinkKind, () => Promise<string>>> = {
  async invitation() {
    const email = `${crypto.randomUUID()}@example.com`;
    const owner = await account.member('owner');
    const made = await createInvitation(api.ctx, owner, { email, role: 'viewer' });
    return made.link?.split('#')[1] ?? '';
  },
  password_reset: async () => (await resetLink(ctx)).reset_token,
  email_confirmation: async () => (await askForEmailChange(ctx, account)).confirmToken,
  email_revocation: async () => (await askForEmailChange(ctx, account)).revokeToken,
  async set_up() {
    const token = newLinkToken();
    const createdAt = ctx.clock.now();
    const expiresAt = new Date(createdAt.getTime() + 60 * minuteMs);
    const row = { digest: digestLinkToken(token), createdAt, expiresAt };
    await ctx.db.insert(setUpTokens).values(row);
    return token;
  },
};

test.each(linkKinds)(
  'a link of the kind %s is bound to the browser that opens it first',
  async (kind) => {
    const link = await newLinks[kind]();
    const opened = await open(kind, link);
    expect(opened.status).toBe(201);
    const { token, max_age: maxAge } = dataOf<{ token: string; max_age: number }>(opened);
    expect(token).not.toBe(link);
    // The link, which mailboxes and histories keep, is void.
    const refused = detailsOf(await open(kind, link));
    expect(Object.values(refused).flat().join()).toContain('no longer valid');
    // Its time goes on, and the token of the browser works until then.
    ctx.clock.advance((maxAge - 1) * 1000);
    const again = dataOf<{ token: string; max_age: number }>(await open(kind, token));
    expect(again.max_age).toBe(1);
    ctx.clock.advance(1000);
    expect((await open(kind, again.token)).status).toBe(422);
  },
);

test('what a link is for is done with the token of the browser, once, and not with the link', async () => {
  const link = await newLinks.password_reset();
  const { token } = dataOf<{ token: string }>(await open('password_reset', link));
  const finish = async (reset_token: string) =>
    await call('password-reset/finish', { reset_token, new_password: 'a staple nobody knows' });
  expect(detailsOf(await finish(link))).toHaveProperty('reset_token');
  expect((await call('password-reset/check', { reset_token: token })).status).toBe(200);
  expect((await finish(token)).status).toBe(200);
  expect(detailsOf(await finish(token))).toHaveProperty('reset_token');
  expect((await open('password_reset', token)).status).toBe(422);
});

test('a token opens links of its own kind only', async () => {
  const link = await newLinks.invitation();
  expect((await open('password_reset', link)).status).toBe(422);
  expect((await open('invitation', link)).status).toBe(201);
});
