import { roles } from '#lib/contract/roles.ts';
import { ServiceError } from '../domain/errors.ts';
import { readCreateAccount, readListAccounts } from './commands/account-commands.ts';
import { readAddMember, readListMembers, readRemoveMember } from './commands/member-commands.ts';
import { failed } from './outcome.ts';
import type { AdminCommand, AdminOutcome, CommandReader } from './outcome.ts';
import { readListSearches } from './commands/list-searches-command.ts';
import { readOutbox } from './commands/outbox-command.ts';
import { readResetAccess } from './commands/reset-access-command.ts';
import { readResetFactors } from './commands/reset-factors-command.ts';
import { readSetLimits } from './commands/set-limits-command.ts';
import { readVerifyAudit } from './commands/verify-audit-command.ts';
import { readAddSupport, readListSupport, readRemoveSupport } from './commands/support-commands.ts';

const usage = `Usage: npm run admin -- <command>

  create-account <name> <owner email>    Create an account. Prints a password if the owner is new or unverified.
  list-accounts                          List all accounts with their IDs and owners.
  add-member <account> <email> <role>   Add a person to an account, or change their role there.
                                         Prints a password if they are new or unverified.
  list-members <account>                 List the members of an account with their roles.
  remove-member <account> <email>        Remove a person from an account and end their sessions in it.
  add-support <email>                    Let a person open every account as support, unless its owners do not
                                         allow it. Prints a password if they are new or unverified.
  list-support                           List who can open every account as support.
  remove-support <email>                 Take that from a person. They stay a member where they are one.
  list-searches [<email>]                List the newest searches at the support desk: of everybody, or of one person.
  set-limits <account> <keys> <webhooks> Set how many active API keys and webhooks an account can have:
                                         numbers, or default for MAX_KEYS and MAX_WEBHOOKS.
  reset-access <email>                   Give a person a new password and end all their sessions.
  outbox [<id>]                          List the emails that no mail server sends, or print one.
  reset-factors <email>                  Remove all second factors of a person who lost theirs, and end their sessions.
  verify-audit [<account>]               Verify the audit log of one account or of all: says which entries were
                                         changed and which are missing, and ends with exit code 1 if there are any.
  make-token                             Print a token for INIT_API_KEY or DASHBOARD_CREDENTIAL.
  help                                   Show this text.

Name an account by its name, in quotes if it contains spaces, or by its ID.
The roles are ${roles.join(', ')}.
The commands read the same settings as the service, such as DATA_DIR and DATABASE_URL. You need not stop the service.`;

const commands: Record<string, CommandReader> = {
  'create-account': readCreateAccount,
  'list-accounts': readListAccounts,
  'add-member': readAddMember,
  'list-members': readListMembers,
  'remove-member': readRemoveMember,
  'add-support': readAddSupport,
  'list-support': readListSupport,
  'remove-support': readRemoveSupport,
  'list-searches': readListSearches,
  'set-limits': readSetLimits,
  'reset-access': readResetAccess,
  outbox: readOutbox,
  'reset-factors': readResetFactors,
  'verify-audit': readVerifyAudit,
};

const askForHelp = new Set(['help', '--help', '-h']);

/**
 * The command that the arguments name; or an outcome that says what is wrong with them and how to
 * use the program.
 */
export function readAdminCommand(args: readonly string[]): AdminCommand | AdminOutcome {
  const [name, ...rest] = args;
  if (name !== undefined && askForHelp.has(name)) return { exitCode: 0, text: usage };
  const command = readCommand(name, rest);
  if (typeof command !== 'string') return command;
  return { exitCode: 2, text: `${command}\n\n${usage}` };
}

function readCommand(name: string | undefined, args: readonly string[]): AdminCommand | string {
  if (name === undefined) return 'No command given.';
  const reader = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!reader) return `Unknown command "${name}".`;
  const command = reader(args);
  return typeof command === 'string' ? command : withRefusalText(command);
}

/** Turns a refusal of a verb into the outcome of the command. */
function withRefusalText(command: AdminCommand): AdminCommand {
  return async (ctx) => {
    try {
      return await command(ctx);
    } catch (error) {
      if (!(error instanceof ServiceError) || !error.details) throw error;
      return failed(Object.values(error.details).flat().join(' '));
    }
  };
}
