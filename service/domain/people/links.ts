import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { subscriberOf } from '../../network/networks.ts';
import type { Origin } from '../actor.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';

/** The secret part of a link: 256 random bits, in characters that need no escaping in a URL. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The digest that is stored of a link's token. */
export function digestLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Counts an attempt before a link is looked up. @throws ServiceError RATE_LIMIT_EXCEEDED */
export async function limitLinks(ctx: Pick<Context, 'limiter'>, { ip }: Origin): Promise<void> {
  await refuseOverLimit(ctx, [{ limit: 'link-address', key: subscriberOf(ip), from: ip }]);
}

/** Without a mail server, emails are in the outbox folder, where the operator reads them. */
export function isMailSent({ config }: Pick<Context, 'config'>): boolean {
  return config.smtpUrl !== null;
}

/** One spelling for each email, so that nobody gets more attempts by spelling it differently. */
export function emailLimitKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
