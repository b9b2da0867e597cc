import {
  mailFactorsReset,
  resetAccess,
  resetFactors,
} from '../../domain/people/members/operator/reset-access.ts';
import { done, failed, type CommandReader } from '../outcome.ts';
import { countSessions, withPassword } from './describe-access.ts';
import { readEmail } from './read-arguments.ts';

export const readResetAccess: CommandReader = (args) => {
  if (args.length !== 1) return 'reset-access needs one email address.';
  const read = readEmail(args[0]);
  if ('reason' in read) return read.reason;
  const { email } = read;
  return async (ctx) => {
    const reset = await resetAccess(ctx, email);
    if (!reset) return failed(`No person has the email address ${email}.`);
    const ended = `Replaced the password of ${email} and ended ${countSessions(reset.endedSessions)}.`;
    return done(withPassword(`${ended} They sign in with`, reset.password));
  };
};

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
