import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import { mayAct, type Act, type Role } from '#lib/contract/rights/roles.ts';
import { dayMs, minuteMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { mailKindOf, type MailKind } from '../../../mail/mail-kinds.ts';
import type { MailContent } from '../../../mail/mail.ts';
import { mintAccountId, type AccountId } from '../../account-id.ts';
import {
  getSupportAccess,
  listMembers,
  readAccountName,
  type Member,
} from '../members/read-members.ts';
import { processEach } from '../../process-each.ts';
import { plainName } from '../../quote-name.ts';
import { isFactorIn } from '../second-factors/required-factor.ts';
import {
  deleteNoticesBefore,
  finishNotice,
  insertNotices,
  lockDueNotices,
  recordUndeliverable,
  scheduleNotice,
  type DueNotice,
} from '../store/notices.ts';

/** Members whose role may perform an act, with a role, or without a second factor; or one person. */
type Recipients = { act: Act } | { role: Role } | { lacks: 'second_factor' } | { personId: string };

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

function isAmong(to: Recipients, { id, role, ...factors }: Member): boolean {
  if ('act' in to) return mayAct(role, to.act);
  if ('lacks' in to) return !isFactorIn(factors);
  return 'role' in to ? role === to.role : id === to.personId;
}

/** Passes emails to the mail server after the commit; `sendDueNotices` repeats those it refuses. */
export function sendNotices(
  ctx: Pick<Context, 'db' | 'clock' | 'mail'>,
  notices: readonly Notice[],
): void {
  for (const { uuid, to, name, content } of notices) {
    ctx.mail.sendOnce(
      { ...content, to, name },
      {
        id: uuid,
        withinMs: leaseMs,
        taken: async () => await finishNotice(ctx.db, uuid, { sentAt: ctx.clock.now() }),
        refused: async (refusal) =>
          await recordUndeliverable(ctx.db, uuid, { at: ctx.clock.now(), refusal }),
      },
    );
  }
}

/** How many emails of a process may wait for the mail server at a time. */
const maxQueued = 100;

/**
 * Sends emails again that no mail server has accepted yet, or that a process left behind when it
 * ended. After seven attempts over two days an email is given up, which is logged; its content is
 * in the dashboard. No email is sent to someone who left the account in the meantime or turned
 * such emails off. Once an account is deleted, only the email about the deletion is sent. Any
 * number of processes may do this at the same time.
 */
export async function sendDueNotices(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail'>,
): Promise<void> {
  const limit = maxQueued - ctx.mail.waiting;
  if (limit <= 0) return;
  const now = ctx.clock.now();
  const due = await ctx.db.transaction(async (tx) => {
    const claimed: DueNotice[] = [];
    for (const notice of await lockDueNotices(tx, { now, limit })) {
      const { uuid, attemptCount, mail } = notice;
      const isWanted = notice.isFit && wantsMail(notice.turnedOff, mail.kind);
      if (isWanted && attemptCount < maxSendAttempts) {
        await scheduleNotice(tx, uuid, {
          attemptCount: attemptCount + 1,
          at: nextSendAttemptAfter(attemptCount + 1, now),
        });
        claimed.push(notice);
      } else {
        await finishNotice(tx, uuid, { sentAt: null });
        if (isWanted) {
          await recordUndeliverable(tx, uuid, { at: now, refusal: null });
          ctx.log.error({ notice: uuid, kind: mail.kind }, 'an email was given up');
        }
      }
    }
    return claimed;
  });
  sendNotices(
    ctx,
    due.map(({ uuid, email, name, mail }) => ({
      uuid,
      to: email,
      name: plainName(name),
      content: mail,
    })),
  );
}

/** How long sent notices are remembered: longer than any occasion can recur. */
const noticesKeptMs = 400 * dayMs;

/** Removes the records of emails that were sent long ago. */
export async function deleteOldNotices({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await deleteNoticesBefore(db, new Date(clock.now().getTime() - noticesKeptMs));
}

/** How long a process has for an attempt to send, before another process takes over. */
const leaseMs = 10 * minuteMs;

/** The waits between the attempts to send a notice: a little more than two days in total. */
const pausesMs = [10, 30, 120, 480, 960, 1440].map((minutes) => minutes * minuteMs);

/** After so many attempts a notice is given up. */
const maxSendAttempts = pausesMs.length + 1;

/** When a notice after so many attempts is due again: to be tried again, or to be given up. */
function nextSendAttemptAfter(attemptCount: number, now: Date): Date {
  return new Date(now.getTime() + (pausesMs[attemptCount - 1] ?? leaseMs));
}

/** Whether someone gets emails of this kind, which is the case unless they turned them off. */
export function wantsMail(turnedOff: readonly MailPreference[], kind: MailKind): boolean {
  const { preference } = mailKindOf(kind);
  return preference === null || !turnedOff.includes(preference);
}

/** For a person who was shown a token or secret that they may no longer confirm or replace. */
export const mayNotConfirm =
  'Your role no longer lets you confirm that you have it, or get a new one. Ask an owner or an admin.';

/** A token or signing secret that a person was shown, and has not confirmed having. */
type Unconfirmed = { shownTo: ActorReference | null; unconfirmedSince: Date };

/** Emails are due about what was shown before a time and is unconfirmed. */
type DueMails = { shownBefore: Date; now: Date };

type UnconfirmedMails<Id, Found> = {
  noun: 'token' | 'secret';
  list: (db: Db, due: DueMails) => Promise<Id[]>;
  /** Records that the email is sent; null if none is due, or another process sends it. */
  claim: (tx: Tx, id: Id, due: DueMails) => Promise<Found | null>;
  subjectOf: (found: Found) => { uuid: string; accountId: string };
  /** The text for a member with these rights, which may be fewer than when it was shown. */
  mail: (found: Found, rights: MemberRights) => MailContent;
};

/**
 * Emails each member who was shown a token or secret a day ago and has not confirmed having it:
 * once for each time that one was shown, from the process that comes first. If an email fails, the
 * next run sends it.
 */
export async function mailUnconfirmed<Id extends string | number, Found extends Unconfirmed>(
  ctx: Pick<Context, 'db' | 'clock' | 'log' | 'mail'>,
  { noun, list, claim, subjectOf, mail }: UnconfirmedMails<Id, Found>,
): Promise<void> {
  const now = ctx.clock.now();
  const due = { shownBefore: new Date(now.getTime() - dayMs), now };
  const act = async (id: Id) => {
    const notices = await ctx.db.transaction(async (tx) => {
      const found = await claim(tx, id, due);
      if (!found?.shownTo?.id) return [];
      const subject = subjectOf(found);
      const accountId = mintAccountId(subject.accountId);
      const support = await getSupportAccess(tx, accountId);
      return await createNotices(tx, {
        accountId,
        to: { personId: found.shownTo.id },
        subjectId: subject.uuid,
        occasion: found.unconfirmedSince.toISOString(),
        now,
        mail: ({ role }) => mail(found, { role, support }),
      });
    });
    sendNotices(ctx, notices);
  };
  await processEach(await list(ctx.db, due), {
    act,
    log: ctx.log,
    failure: `the email about an unconfirmed ${noun} could not be sent yet`,
    name: (id) => ({ [`${noun}_id`]: id }),
  });
}
