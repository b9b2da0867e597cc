import { name as accountName } from '#lib/contract/fields/fields.ts';
import { countOf } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import { isPastRestoreWindow, restorableUntil } from '../../domain/people/accounts/deletion.ts';
import {
  createAccountAsOperator,
  listAccountsAsOperator,
  type ListedAccount,
  type AmbiguousAccount,
} from '../../domain/people/members/operator/accounts-as-operator.ts';
import { joinReasons } from '../../config/join-reasons.ts';
import { readEmail } from './read-arguments.ts';
import { withAccess } from './describe-access.ts';
import { done, failed } from '../outcome.ts';
import type { AdminOutcome, CommandReader } from '../outcome.ts';
import { dayOf, formatTable } from './format-table.ts';

export const readCreateAccount: CommandReader = (args) => {
  if (args.length !== 2) {
    return 'create-account needs a name, in quotes if it contains spaces, and an email address.';
  }
  const name = accountName.safeParse(args[0]);
  if (!name.success) return `Invalid name. ${joinReasons(name.error)}`;
  const email = readEmail(args[1]);
  if ('reason' in email) return email.reason;
  return async (ctx) => {
    const created = await createAccountAsOperator(ctx, { name: name.data, ...email });
    const what = `Created account "${name.data}" (ID ${created.accountId}).${describeNameDuplicates(created.sameNamed)}`;
    return done(withAccess(`${what} Its owner is ${email.email}.`, created.access));
  };
};

function describeNameDuplicates(count: number): string {
  if (count === 0) return '';
  const others = countOf(count, 'other account has', 'other accounts have');
  return ` ${others} this name, so use the ID to name it in commands.`;
}

export const readListAccounts: CommandReader = (args) => {
  if (args.length > 0) return 'list-accounts takes no arguments.';
  return async (ctx) => {
    const accounts = await listAccountsAsOperator(ctx);
    if (accounts.length > 0) return done(formatAccounts(accounts, ctx.clock.now()));
    return done(
      'There are no accounts yet. Create one: npm run admin -- create-account <name> <owner email>',
    );
  };
};

/** The outcome if the text that an operator gave does not name exactly one account. */
export function describeAmbiguousAccount(
  unclear: AmbiguousAccount,
  { account, now }: { account: string; now: Date },
): AdminOutcome {
  if (unclear.kind === 'no_account') {
    return failed(
      `There is no account with the name or ID "${account}". List the accounts: npm run admin -- list-accounts`,
    );
  }
  const { accounts } = unclear;
  const listed = formatAccounts(accounts, now);
  return failed(
    `${countOf(accounts.length, 'account has', 'accounts have')} the name "${account}". Use the ID of the one you mean:\n\n${listed}`,
  );
}

function formatAccounts(accounts: readonly ListedAccount[], now: Date): string {
  const isAnyDeleted = accounts.some(({ deletedAt }) => deletedAt !== null);
  const headings = ['ID', 'NAME', 'MEMBERS', 'CREATED', 'OWNERS'];
  if (isAnyDeleted) headings.push('DELETED, CAN BE RESTORED UNTIL');
  return formatTable(
    headings,
    accounts.map(({ id, name, members, createdAt, deletedAt, owners }) => [
      id,
      name,
      String(members),
      dayOf(createdAt),
      owners.join(', '),
      ...(deletedAt ? [describeRestoring(deletedAt, now)] : []),
    ]),
  );
}

/** The accounts of a removed provisioner can never be restored. */
function describeRestoring(deletedAt: Date, now: Date): string {
  if (isPastRestoreWindow(deletedAt, now)) return 'it cannot be restored';
  return formatExact(restorableUntil(deletedAt), 'UTC');
}
