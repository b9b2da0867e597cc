import {
  addSupportAsOperator,
  listSupportAsOperator,
  removeSupportAsOperator,
} from '../../domain/people/installation-support/support-as-operator.ts';
import { readEmail } from './read-arguments.ts';
import { countSessions, withAccess } from './describe-access.ts';
import { done, failed } from '../outcome.ts';
import type { CommandReader } from '../outcome.ts';
import { dayOf, formatTable } from './format-table.ts';

export const readAddSupport: CommandReader = (args) => {
  if (args.length !== 1) return 'add-support needs one email address.';
  const read = readEmail(args[0]);
  if ('reason' in read) return read.reason;
  const { email } = read;
  return async (ctx) => {
    const added = await addSupportAsOperator(ctx, email);
    if (added.kind === 'unchanged') {
      return done(`${email} is already installation support. Nothing changed.`);
    }
    const what = `Added ${email} to installation support: they can open every account that allows it.`;
    return done(withAccess(what, added.access));
  };
};

export const readListSupport: CommandReader = (args) => {
  if (args.length > 0) return 'list-support takes no arguments.';
  return async (ctx) => {
    const people = await listSupportAsOperator(ctx);
    if (people.length === 0) {
      return done(
        'Nobody is installation support. Add a person: npm run admin -- add-support <email>',
      );
    }
    const rows = people.map(({ email, name, addedAt, lastOpenedAt }) => [
      email,
      name,
      dayOf(addedAt),
      lastOpenedAt ? dayOf(lastOpenedAt) : 'never',
    ]);
    return done(formatTable(['EMAIL', 'NAME', 'ADDED', 'LAST OPENED AN ACCOUNT'], rows));
  };
};

export const readRemoveSupport: CommandReader = (args) => {
  if (args.length !== 1) return 'remove-support needs one email address.';
  const read = readEmail(args[0]);
  if ('reason' in read) return read.reason;
  const { email } = read;
  return async (ctx) => {
    const removed = await removeSupportAsOperator(ctx, email);
    if (removed.kind === 'no_supporter') {
      return failed(
        `${email} is not installation support. List who is: npm run admin -- list-support`,
      );
    }
    const after = removed.isMember
      ? 'They stay a member of the accounts they belong to.'
      : `Ended ${countSessions(removed.endedSessions)}. They belong to no account and cannot sign in.`;
    return done(
      `Removed ${email} from installation support. ${after} Tokens that they were shown stay valid.`,
    );
  };
};
