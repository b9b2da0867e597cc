import { mayAct } from '#lib/contract/rights/roles.ts';
import type { Act, Role } from '#lib/contract/rights/roles.ts';
import type { Tx } from '../../db/open.ts';
import type { MailContent } from '../../mail/mail.ts';
import type { AccountId } from '../account-id.ts';
import { readAccountName } from '../people/accounts/read-account-name.ts';
import { listMembers } from '../people/members/list-members.ts';
import type { Member } from '../people/members/list-members.ts';
import { plainName } from '../quote-name.ts';
import { nextSendAttemptAfter, wantsMail } from './rules.ts';
import { insertNotices } from './store.ts';

/** Members whose role may perform an act, members with a role, or one person. */
type Recipients = { act: Act } | { role: Role } | { personId: string };

/** An email to a member, which is stored and then sent once for its occasion. */
export type Notice = {
  uuid: string;
  to: string;
  name: string;
  content: MailContent;
};

/**
 * Decides which members get an email about a change, in the transaction of that change: the members
 * whose role may perform the act or is the one given, or the one member who is named, unless they
 * turned such emails off. Nobody gets two emails for one occasion, however often and by however
 * many processes this is called. Pass the result to `sendNotices` after the commit; if the process
 * ends before that, `sendDueNotices` finds the stored emails.
 *
 * The account's name is added to the facts, because people may belong to several accounts.
 *
 * @param options.subjectId what it is about, such as the uuid of a key
 * @param options.occasion identifies the time at which it happens to the subject, such as the key's
 *   expiry: it must stay the same for one occasion and differ when it happens again
 * @param options.except the person who did it, and so needs no email
 */
export async function createNotices(
  tx: Tx,
  {
    accountId,
    to,
    except,
    subjectId,
    occasion,
    now,
    mail,
  }: {
    accountId: AccountId;
    to: Recipients;
    except?: string;
    subjectId: string;
    occasion: string;
    now: Date;
    mail: (member: Member) => MailContent;
  },
): Promise<Notice[]> {
  const members = (await listMembers(tx, accountId)).filter(
    (member) => member.id !== except && isAmong(to, member),
  );
  if (members.length === 0) return [];
  const account = ['Account', plainName(await readAccountName(tx, accountId))] as const;
  const wanted = members
    .map((member) => ({ member, content: mail(member) }))
    .filter(({ member, content }) => wantsMail(member.turnedOffMails, content.kind))
    .map(({ member, content }) => ({
      member,
      content: { ...content, facts: [...(content.facts ?? []), account] },
    }));
  const written = await insertNotices(
    tx,
    accountId,
    wanted.map(({ member, content }) => ({
      kind: content.kind,
      subjectId,
      occasion,
      personId: member.id,
      createdAt: now,
      mail: content,
      attemptCount: 1,
      nextAttemptAt: nextSendAttemptAfter(1, now),
    })),
  );
  return wanted.flatMap(({ member, content }) => {
    const uuid = written.get(member.id);
    if (uuid === undefined) return [];
    return [{ uuid, to: member.email, name: plainName(member.name), content }];
  });
}

function isAmong(to: Recipients, { id, role }: Member): boolean {
  if ('act' in to) return mayAct(role, to.act);
  return 'role' in to ? role === to.role : id === to.personId;
}
