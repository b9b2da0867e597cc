import { mayAct } from '#lib/contract/roles.ts';
import type { Act, Role } from '#lib/contract/roles.ts';
import type { Tx } from '../../db/open.ts';
import type { MailContent } from '../../mail/mail.ts';
import type { AccountId } from '../account-id.ts';
import { readAccountName } from '../people/accounts/read-account-name.ts';
import { listMembers } from '../people/members/list-members.ts';
import type { Member } from '../people/members/list-members.ts';
import { plainName } from '../quote-name.ts';
import { nextSendAttemptAfter, wantsMail } from './rules.ts';
import { insertNotices } from './store.ts';

/** Those whose role can act, or is this one, or one member. */
type Recipients = { act: Act } | { role: Role } | { personId: string };

/** An email to a member that is written down, and sent once for its occasion. */
export type Notice = {
  uuid: string;
  to: string;
  name: string;
  content: MailContent;
};

/**
 * Decides, in the transaction in which something happens, which members are told of it by email: those
 * whose role can act or is the one given, or the one who is named, unless they turned such mails off.
 * Nobody is told twice of one occasion, however often and by however many processes this is called.
 * Hand what it gives to `sendNotices` after the commit; if the process ends before that,
 * `sendDueNotices` finds it.
 *
 * The name of the account is added to the facts, as people may belong to several.
 *
 * @param about.subjectId what it is about, such as the uuid of a key
 * @param about.occasion which time that it happens to this subject, such as when the key expires:
 *   what does not change while it is the same, and does when it happens again
 * @param about.except whoever did it and knows
 */
export async function createNotices(
  tx: Tx,
  about: {
    accountId: AccountId;
    to: Recipients;
    except?: string;
    subjectId: string;
    occasion: string;
    now: Date;
    mail: (member: Member) => MailContent;
  },
): Promise<Notice[]> {
  const { accountId, to, except, subjectId, occasion, now, mail } = about;
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
      tries: 1,
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
