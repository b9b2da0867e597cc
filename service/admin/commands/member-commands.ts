import type { Role } from '#lib/contract/rights/roles.ts';
import {
  addMemberAsOperator,
  listMembersAsOperator,
  removeMemberAsOperator,
  type AddedMember,
  type RemovedMember,
} from '../../domain/people/members/operator/members-as-operator.ts';
import { describeAmbiguousAccount } from './account-commands.ts';
import { readAccount, readEmail, readRole } from './read-arguments.ts';
import { countSessions, withAccess } from './describe-access.ts';
import { done, failed } from '../outcome.ts';
import type { AdminOutcome, CommandReader } from '../outcome.ts';
import { formatTable } from './format-table.ts';

export const readAddMember: CommandReader = (args) => {
  if (args.length !== 3) return 'add-member needs an account, an email address and a role.';
  const email = readEmail(args[1]);
  if ('reason' in email) return email.reason;
  const role = readRole(args[2]);
  if ('reason' in role) return role.reason;
  return async (ctx) => {
    const wanted = { account: readAccount(args[0]), ...email, ...role };
    const added = await addMemberAsOperator(ctx, wanted);
    return sayAdded(added, { ...wanted, now: ctx.clock.now() });
  };
};

function sayAdded(
  added: AddedMember,
  { account, email, role, now }: { account: string; email: string; role: Role; now: Date },
): AdminOutcome {
  if (added.kind === 'no_account' || added.kind === 'many_accounts') {
    return describeAmbiguousAccount(added, { account, now });
  }
  const where = `account "${added.account.name}"`;
  if (added.kind === 'last_owner') return sayOnlyOwner(email, where);
  if (added.kind === 'unchanged') {
    return done(`${email} already has the role ${role} in ${where}. Nothing changed.`);
  }
  if (added.kind === 'changed') {
    const changed = `Changed the role of ${email} in ${where} from ${added.from} to ${role}.`;
    return done(added.access.kind === 'kept' ? changed : withAccess(changed, added.access));
  }
  return done(withAccess(`Added ${email} to ${where} as ${role}.`, added.access));
}

export const readListMembers: CommandReader = (args) => {
  if (args.length !== 1) return 'list-members needs an account, in quotes if its name has spaces.';
  const account = readAccount(args[0]);
  return async (ctx) => {
    const found = await listMembersAsOperator(ctx, account);
    if (found.kind !== 'found') {
      return describeAmbiguousAccount(found, { account, now: ctx.clock.now() });
    }
    const rows = found.members.map(({ email, role, name }) => [email, role, name]);
    return done(formatTable(['EMAIL', 'ROLE', 'NAME'], rows));
  };
};

export const readRemoveMember: CommandReader = (args) => {
  if (args.length !== 2) return 'remove-member needs an account and an email address.';
  const email = readEmail(args[1]);
  if ('reason' in email) return email.reason;
  return async (ctx) => {
    const wanted = { account: readAccount(args[0]), ...email };
    const removed = await removeMemberAsOperator(ctx, wanted);
    return sayRemoved(removed, { ...wanted, now: ctx.clock.now() });
  };
};

function sayRemoved(
  removed: RemovedMember,
  { account, email, now }: { account: string; email: string; now: Date },
): AdminOutcome {
  if (removed.kind === 'no_account' || removed.kind === 'many_accounts') {
    return describeAmbiguousAccount(removed, { account, now });
  }
  const where = `account "${removed.account.name}"`;
  if (removed.kind === 'last_owner') return sayOnlyOwner(email, where);
  if (removed.kind === 'no_member') {
    return failed(
      `${email} is not a member of ${where}. List its members: npm run admin -- list-members <account>`,
    );
  }
  const sentences = [
    `Removed ${email} from ${where} and ended ${countSessions(removed.endedSessions)}.`,
    ...(removed.hasOtherAccounts ? [] : ['They belong to no account now and cannot sign in.']),
    'API keys and webhooks that they created stay active.',
  ];
  return done(sentences.join(' '));
}

function sayOnlyOwner(email: string, where: string): AdminOutcome {
  return failed(
    `${email} is the only owner of ${where}. Make another person an owner first: npm run admin -- add-member <account> <email> owner`,
  );
}
