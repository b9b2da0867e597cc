import { resetAccess } from '../../domain/people/passwords/reset-access.ts';
import { readEmail } from './read-arguments.ts';
import { countSessions, withPassword } from './describe-access.ts';
import { done, failed } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';

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
