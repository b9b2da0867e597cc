import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { works } from '../../testing/api-keys/tokens.ts';
import { auditEntriesOf } from '../../testing/records/audit-log.ts';
import { runCommand } from '../../testing/admin-commands.ts';
import { useApi } from '../../testing/use-api.ts';
import { runAdmin } from '../../admin.ts';
import { addStandardInput } from '../commands.ts';

const { ctx, api } = useApi();

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');

test('an operator revokes the key of a leaked token by its digest, and its owners and admins are told', async () => {
  const account = await api.account();
  const owner = await account.member('owner');
  const key = await account.key({ name: 'Production' });
  const before = ctx.mails.length;
  const revoked = await runCommand(ctx, 'revoke-leaked', `${digestOf(key.token)}  -\n`);
  expect(revoked.text).toContain('Revoked the key "Production" of the account "Marlow & Finch".');
  expect(await works(api, key.token)).toBe(false);
  expect(ctx.mails.slice(before)).toMatchObject([
    { to: owner.email, subject: 'Leaked: the API key "Production" was revoked' },
  ]);
  expect(ctx.mails.at(-1)?.text).toContain('Revoked by: An operator of this installation');
  expect((await auditEntriesOf(ctx, account.id)).at(-1)).toMatchObject({
    action: 'api_key.revoked',
    actor: { kind: 'system', name: 'Operator' },
    changes: { reason: 'Reported as leaked' },
  });
  const again = await runCommand(ctx, 'revoke-leaked', digestOf(key.token));
  expect(again.text).toContain('was revoked before. Nothing changed.');
  expect(ctx.mails).toHaveLength(before + 1);
});

test('a token that no key has is named as the reason', async () => {
  const unknown = await runCommand(ctx, 'revoke-leaked', digestOf('sk_live_nothing'));
  expect(unknown).toMatchObject({ exitCode: 1 });
  expect(unknown.text).toContain('No key has this token.');
});

test('the digest is read from standard input, and a token there is refused', async () => {
  const input = Readable.from(['sk_live_a_token_and_no_digest\n']);
  const refused = await runAdmin(await addStandardInput(['revoke-leaked'], input), {});
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.text).toContain('needs the SHA-256 of a token on standard input');
  expect(refused.text).not.toContain('sk_live_a_token');
});
