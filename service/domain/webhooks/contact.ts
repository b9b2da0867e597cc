import { contactLinkDays } from '#lib/contract/webhooks/webhook-contact.ts';
import { dayMs } from '#lib/durations.ts';
import { formatExact } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Mail, MailContent } from '../../mail/mail.ts';
import { mintAccountId } from '../account-id.ts';
import type { Actor, Origin } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { digestLinkToken, emailLimitKey, limitLinks, newLinkToken } from '../people/links.ts';
import { readAccountName } from '../people/members/read-members.ts';
import type { Notice } from '../people/notices/notices.ts';
import { plainName, quoteName } from '../quote-name.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import {
  findWebhookByContactLink,
  lockWebhooks,
  updateWebhookRow,
  type NewWebhookRow,
  type WebhookRow,
} from './store/webhooks.ts';

/** What a change of the contact writes, and the token of the link to send; null if none is sent. */
export type PlannedContact = { columns: Partial<NewWebhookRow>; token: string | null };

/**
 * Counts a contact that is given, so that nobody can have many strangers emailed. Call it before
 * the transaction.
 *
 * @throws ServiceError RATE_LIMIT_EXCEEDED
 */
export async function limitContacts(
  ctx: Context,
  { accountId }: Actor,
  email: string | null | undefined,
): Promise<void> {
  if (email) await refuseOverLimit(ctx, [{ limit: 'webhook-contact', key: accountId }]);
}

/**
 * What the webhook stores of a new contact. An address that is given again and not confirmed gets
 * another link, and the earlier one no longer works.
 */
export function planContact(
  email: string | null | undefined,
  { before, now }: { before: WebhookRow | null; now: Date },
): PlannedContact {
  const isKept = email === before?.contactEmail && before?.contactConfirmedAt !== null;
  const isNone = email === null && (before?.contactEmail ?? null) === null;
  if (email === undefined || isKept || isNone) return { columns: {}, token: null };
  const token = email === null ? null : newLinkToken();
  return {
    token,
    columns: {
      contactEmail: email,
      contactConfirmedAt: null,
      contactLinkDigest: token === null ? null : digestLinkToken(token),
      contactLinkExpiresAt:
        token === null ? null : new Date(now.getTime() + contactLinkDays * dayMs),
      contactTold: {},
    },
  };
}

/** The email with the link, for `send` after the commit; null if there is no link to send. */
export async function contactMail(
  ctx: Pick<Context, 'config'>,
  tx: Tx,
  { webhook, token }: { webhook: WebhookRow; token: string | null },
): Promise<Mail | null> {
  const { contactEmail: to, contactLinkExpiresAt: expiresAt, name } = webhook;
  if (to === null || token === null || !expiresAt) return null;
  const account = await readAccountName(tx, mintAccountId(webhook.accountId));
  return { to, ...contactLinkMail(ctx, { name, account, token, expiresAt }) };
}

export function contactLinkMail(
  { config: { publicUrl } }: Pick<Context, 'config'>,
  link: { name: string; account: string; token: string; expiresAt: Date },
): MailContent {
  return {
    kind: 'webhook.contact',
    subject: 'Confirm that you want to be told of webhook failures',
    paragraphs: [
      `Someone named this address as the contact for the webhook ${quoteName(link.name)}. If you confirm, you get an email when it begins to fail, before and when it is deactivated, and when it works again. The link works once, until ${formatExact(link.expiresAt, 'UTC')}.`,
    ],
    facts: [
      ['Webhook', plainName(link.name)],
      ['Account', plainName(link.account)],
    ],
    action: {
      label: 'Confirm this address',
      url: `${publicUrl.origin}/confirm-contact#${link.token}`,
    },
    closing: ['If you do not want these emails, ignore this one.'],
  };
}

/**
 * Confirms the address of a contact.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.contact_token`; RATE_LIMIT_EXCEEDED
 */
export async function confirmWebhookContact(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ email: string; webhook: string }> {
  await limitLinks(ctx, origin);
  const digest = digestLinkToken(token);
  return await ctx.db.transaction(async (tx) => {
    const found = await findWebhookByContactLink(tx, digest);
    const [webhook] = found === null ? [] : await lockWebhooks(tx, [found]);
    const now = ctx.clock.now();
    const isValid =
      webhook?.contactLinkDigest?.equals(digest) &&
      webhook.contactLinkExpiresAt !== null &&
      webhook.contactLinkExpiresAt > now;
    if (!webhook?.contactEmail || !isValid) {
      throw invalid(
        'contact_token',
        'This link was used, replaced or has expired. Ask the people who manage the webhook for another.',
      );
    }
    const { contactEmail: email, name, uuid } = webhook;
    await updateWebhookRow(tx, webhook, {
      contactConfirmedAt: now,
      contactLinkDigest: null,
      contactLinkExpiresAt: null,
    });
    await recordAudit(tx, {
      accountId: mintAccountId(webhook.accountId),
      by: { kind: 'system', id: null, name: email },
      origin,
      action: 'webhook.contact_confirmed',
      at: now,
      target: { kind: 'webhook', id: uuid, name },
      changes: { contact_email: email },
    });
    return { email, webhook: name };
  });
}

/**
 * The email to the confirmed contact of a locked webhook, for `send` after the commit; null if
 * there is none, if the contact was already told of this occasion, or gets the email as a member.
 */
export async function tellContact(
  tx: Tx,
  {
    webhook,
    occasion,
    mail,
    notices,
  }: { webhook: WebhookRow; occasion: string; mail: MailContent; notices: readonly Notice[] },
): Promise<Mail | null> {
  const { contactEmail: to, contactConfirmedAt, contactTold: told } = webhook;
  if (to === null || contactConfirmedAt === null || told[mail.kind] === occasion) return null;
  await updateWebhookRow(tx, webhook, { contactTold: { ...told, [mail.kind]: occasion } });
  if (notices.some((notice) => emailLimitKey(notice.to) === emailLimitKey(to))) return null;
  const account = await readAccountName(tx, mintAccountId(webhook.accountId));
  const facts = [...(mail.facts ?? []), ['Account', plainName(account)] as const];
  return { ...mail, kind: 'webhook.contact_told', facts, to };
}
