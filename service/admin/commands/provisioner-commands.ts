import { name as nameField } from '#lib/contract/fields/fields.ts';
import { countOf } from '#lib/count.ts';
import { formatExact } from '#lib/time.ts';
import { joinReasons } from '../../config/join-reasons.ts';
import {
  createProvisionerAsOperator,
  listProvisionersAsOperator,
  removeProvisionerAsOperator,
} from '../../domain/people/provisioning/provisioners.ts';
import { done, failed, type CommandReader } from '../outcome.ts';
import { dayOf, formatTable } from './format-table.ts';

const usualDays = 30;
const maxDays = 90;

export const readCreateProvisioner: CommandReader = ([
  given,
  days = String(usualDays),
  ...more
]) => {
  if (given === undefined || more.length > 0) {
    return 'create-provisioner needs a name, and takes a number of days.';
  }
  const name = nameField.safeParse(given);
  if (!name.success) return `Invalid name. ${joinReasons(name.error)}`;
  const count = Number(days);
  if (!/^\d+$/.test(days) || count < 1 || count > maxDays) {
    return `Give a number of days from 1 to ${maxDays}.`;
  }
  return async (ctx) => {
    const created = await createProvisionerAsOperator(ctx, { name: name.data, days: count });
    if (created === null) return failed(`There is a provisioner "${name.data}". Use another name.`);
    return done(
      `Created the provisioner "${name.data}", which expires on ${formatExact(created.expiresAt)}. It can create accounts for tests, and delete those.\n\nIts token is shown only now:\n  ${created.token}`,
    );
  };
};

export const readListProvisioners: CommandReader = (args) => {
  if (args.length > 0) return 'list-provisioners takes no arguments.';
  return async (ctx) => {
    const provisioners = await listProvisionersAsOperator(ctx);
    if (provisioners.length === 0) return done('There are no provisioners.');
    return done(
      formatTable(
        ['NAME', 'CREATED', 'EXPIRES', 'ACCOUNTS'],
        provisioners.map(({ name, createdAt, expiresAt, accounts }) => [
          name,
          dayOf(createdAt),
          formatExact(expiresAt),
          String(accounts),
        ]),
      ),
    );
  };
};

export const readRemoveProvisioner: CommandReader = ([name, ...more]) => {
  if (name === undefined || more.length > 0) return 'remove-provisioner needs one name.';
  return async (ctx) => {
    const removed = await removeProvisionerAsOperator(ctx, name);
    if (removed === null) {
      return failed(
        `There is no provisioner "${name}". List them: npm run admin -- list-provisioners`,
      );
    }
    const accounts = countOf(removed.deletedAccounts, 'account', 'accounts');
    return done(`Removed the provisioner "${name}", and deleted ${accounts} that it had created.`);
  };
};
