import { describe, expect, test } from 'vitest';
import { addMemberAsOperator } from '../../../../domain/people/members/operator/members-as-operator.ts';
import { detailsOf, TestApi } from '../../../../testing/api.ts';
import { withAuditChain } from '../../../../domain/audit/chain/append-entries.ts';
import { logStatements } from '../../../../testing/databases/log-statements.ts';
import { History } from '../../../../testing/records/history.ts';
import { addPerson } from '../../../../testing/records/people.ts';
import {
  useEmailChanges,
  newAddress,
  spentRevocation,
} from '../../../../testing/http/email-change-world.ts';
import { runCommand } from '../../../../testing/admin-commands.ts';

const { ctx, world } = useEmailChanges();

describe('an address that someone has', () => {
  test('is not revealed to the person who asks for it: same response, same statements, and no link', async () => {
    const bob = await world.addSignedIn();
    // So that no audit entry is the first one of its account.
    for (const id of world.accountIds) {
      await new History(ctx, id).addAuditEntries({ daysOld: 1, count: 1 });
    }
    const statements: string[] = [];
    const db = withAuditChain(logStatements(ctx.database, statements), ctx.auditKeys);
    const logged = new TestApi({ ...ctx, db });
    const free = newAddress();
    const ofFree = await world.ask(free, world.ann, logged);
    const forFree = statements.splice(0);
    const ofTaken = await world.ask(bob.email, world.ann, logged);
    expect(ofTaken.status).toBe(ofFree.status);
    expect(ofTaken.text.replaceAll(bob.email, '')).toBe(ofFree.text.replaceAll(free, ''));
    expect(statements).toEqual(forFree);
    expect(await world.shown()).toMatchObject({ pending: { email: bob.email } });
    expect(world.mailsTo(bob.email)).toMatchObject([
      { subject: 'Your email address was not changed' },
    ]);
    expect(world.mailedToken(bob.email, 'confirm-email')).toBe('');
  });

  test('goes to the first of two people who confirm it, even at the same moment', async () => {
    const email = newAddress();
    const bob = await world.addSignedIn();
    const first = await world.asked(email);
    const second = await world.asked(email, bob);
    const responses = await Promise.all([
      world.confirm(first.confirmToken),
      world.confirm(second.confirmToken),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 422]));
    const refused = responses.find(({ status }) => status === 422);
    expect(refused && detailsOf(refused)).toEqual({
      confirm_token: ['This address now belongs to another person.'],
    });
  });

  test('until recently is reserved: nobody else gets it while they can undo the change', async () => {
    const { revokeToken } = await world.changed();
    const eve = await world.addSignedIn();
    await world.ask(world.ann.email, eve);
    expect(world.mailedToken(world.ann.email, 'confirm-email')).toBe('');
    const added = addMemberAsOperator(ctx, {
      account: world.accountIds[0] ?? '',
      email: world.ann.email,
      role: 'viewer',
    });
    await expect(added).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await runCommand(ctx, 'create-account', 'Another', world.ann.email)).toEqual({
      exitCode: 1,
      text: `${world.ann.email} belongs to another person, or did until recently. Use another address, or try again in a week.`,
    });
    expect(await runCommand(ctx, 'add-support', world.ann.email)).toMatchObject({ exitCode: 1 });
    expect((await world.revoke(revokeToken)).status).toBe(200);
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
  });

  test('that was reserved but given to another person stays theirs, and undoing the change is refused', async () => {
    const { email, revokeToken } = await world.changed();
    await addPerson(ctx, { email: world.ann.email });
    expect(detailsOf(await world.revoke(revokeToken))).toEqual({
      revoke_token: [
        `${world.ann.email} now belongs to another person, so the change cannot be undone. Ask your administrator for help.`,
      ],
    });
    expect(await world.emailOf(world.ann.id)).toBe(email);
  });

  test('without an emailed link is theirs for good once an operator gives them a place', async () => {
    const email = newAddress();
    await world.ask(email, world.ann, world.mailless);
    await world.confirm(world.mailedToken(email, 'confirm-email'));
    const token = world.mailedToken(world.ann.email, 'revoke-email-change');
    expect(await runCommand(ctx, 'create-account', 'Another', email)).toMatchObject({
      exitCode: 0,
    });
    expect(detailsOf(await world.revoke(token))).toEqual(spentRevocation);
    expect(await world.emailOf(world.ann.id)).toBe(email);
  });
});
