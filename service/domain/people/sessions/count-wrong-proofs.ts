import { formatExact } from '#lib/time.ts';
import type { Config } from '../../../config/load-config.ts';
import type { Context } from '../../../context.ts';
import type { LimitUse } from '../../../limiter/limiter.ts';
import type { MailContent } from '../../../mail/mail.ts';
import type { Origin, PersonActor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { ServiceError } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { addWrongProof, deleteSession } from '../store/sessions.ts';

/** How many wrong proofs, without a right one in between, end a session. */
const maxWrongProofs = 20;

/**
 * Runs a check of a password or second factor within a session, and limits how many wrong ones are
 * given there: ten an hour, and 20 end the session. So the person who finds an open session cannot
 * go on guessing, and guesses in one session do not make its person wait in another. Each wrong one
 * is audited, and the person gets an email when the session ends.
 *
 * @param check calls its argument if what was given is wrong
 * @throws ServiceError RATE_LIMIT_EXCEEDED; UNAUTHORIZED if the session has ended
 */
export async function countWrongProofs<Result>(
  ctx: Context,
  { actor, sessionId }: { actor: PersonActor; sessionId: string },
  check: (onWrong: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const uses: LimitUse[] = [{ limit: 'wrong-proof', key: sessionId }];
  await refuseOverLimit(ctx, uses);
  let isWrong = false;
  try {
    return await check(async () => {
      isWrong = true;
      await countWrongProof(ctx, { actor, sessionId });
    });
  } finally {
    if (!isWrong) await ctx.limiter.giveBack(uses);
  }
}

async function countWrongProof(
  ctx: Context,
  { actor, sessionId }: { actor: PersonActor; sessionId: string },
): Promise<void> {
  const { personId, personName, email, origin } = actor;
  const now = ctx.clock.now();
  const isEnded = await ctx.db.transaction(async (tx) => {
    const count = await addWrongProof(tx, { personId, sessionId });
    if (count === null) throw new ServiceError('UNAUTHORIZED');
    const ends = count >= maxWrongProofs;
    if (ends) await deleteSession(tx, { personId, sessionId });
    await recordAudit(tx, {
      actor,
      action: ends ? 'session.ended' : 'session.proof_refused',
      at: now,
      target: { kind: 'person', id: personId, name: personName },
      changes: { wrong_proofs: count },
    });
    return ends;
  });
  if (!isEnded) return;
  ctx.mail.send({ ...wrongProofsMail(ctx.config, { email, origin, now }), to: email });
  throw new ServiceError('UNAUTHORIZED');
}

export function wrongProofsMail(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { email, origin, now }: { email: string; origin: Origin; now: Date },
): MailContent {
  return {
    kind: 'session.ended_by_wrong_proofs',
    subject: 'You were signed out after wrong passwords',
    paragraphs: [
      `Someone who was signed in as ${email} gave a wrong password or second factor ${maxWrongProofs} times. That session has ended.`,
      'If it was not you, someone used a browser in which you were signed in. Change your password now and sign out everywhere else.',
    ],
    facts: [
      ['Time', formatExact(now, 'UTC')],
      ['Address', origin.ip],
    ],
    action: { label: 'Open Security', url: `${publicUrl.origin}/settings/security` },
  };
}
