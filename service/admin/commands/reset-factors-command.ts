import { mailFactorsReset } from '../../domain/people/members/operator/mail-operator-reset.ts';
import { resetFactors } from '../../domain/people/second-factors/reset-factors.ts';
import { readEmail } from './read-arguments.ts';
import { countSessions } from './describe-access.ts';
import { done, failed } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';

export const readResetFactors: CommandReader = (args) => {
  if (args.length !== 1) return 'reset-factors needs one email address.';
  const read = readEmail(args[0]);
  if ('reason' in read) return read.reason;
  const { email } = read;
  return async (ctx) => {
    const reset = await resetFactors(ctx, email);
    if (!reset) return failed(`No person has the email address ${email}.`);
    if (!reset.app && reset.passkeys === 0) {
      return done(`${email} had no second factor. Ended ${countSessions(reset.endedSessions)}.`);
    }
    mailFactorsReset(ctx, { email });
    return done(
      `Removed the second factors of ${email} and ended ${countSessions(reset.endedSessions)}. They sign in with their password alone, and set up a new one under Security.`,
    );
  };
};
