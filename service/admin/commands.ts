import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { roles } from '#lib/contract/rights/roles.ts';
import { ServiceError } from '../domain/errors.ts';
import { readCreateAccount, readListAccounts } from './commands/account-commands.ts';
import { readAddMember, readListMembers, readRemoveMember } from './commands/member-commands.ts';
import { editDistance } from '../config/edit-distance.ts';
import { done, failed, misused } from './outcome.ts';
import type { AdminCommand, AdminOutcome, CommandReader } from './outcome.ts';
import { readBackup, readRestore, readResumeDeliveries } from './commands/backup-commands.ts';
import { readListSearches } from './commands/list-searches-command.ts';
import { readOutbox } from './commands/outbox-command.ts';
import {
  readCreateProvisioner,
  readListProvisioners,
  readRemoveProvisioner,
} from './commands/provisioner-commands.ts';
import { readResetAccess, readResetFactors } from './commands/reset-commands.ts';
import { readMakeToken, readRevokeLeaked } from './commands/token-commands.ts';
import { readSetLimits } from './commands/set-limits-command.ts';
import { readVerifyAudit } from './commands/verify-audit-command.ts';
import { readDoctor, readMigrate, readVersion } from './commands/installation-commands.ts';
import { readAddSupport, readListSupport, readRemoveSupport } from './commands/support-commands.ts';

type CommandUse = {
  /** The arguments, as the help shows them. */
  takes: string;
  /** What the command does, in lines. */
  does: readonly string[];
  /** Whether it reads its argument from standard input. */
  readsInput?: true;
  read: CommandReader;
};

const passwordLine = 'Prints a password if they are new or unverified.';

const commands: Record<string, CommandUse> = {
  'create-account': {
    takes: '<name> <owner email>',
    does: ['Create an account. Prints a password if the owner is new or unverified.'],
    read: readCreateAccount,
  },
  'list-accounts': {
    takes: '',
    does: ['List all accounts with their IDs and owners.'],
    read: readListAccounts,
  },
  'add-member': {
    takes: '<account> <email> <role>',
    does: ['Add a person to an account, or change their role there.', passwordLine],
    read: readAddMember,
  },
  'list-members': {
    takes: '<account>',
    does: ['List the members of an account with their roles.'],
    read: readListMembers,
  },
  'remove-member': {
    takes: '<account> <email>',
    does: ['Remove a person from an account and end their sessions in it.'],
    read: readRemoveMember,
  },
  'add-support': {
    takes: '<email>',
    does: [
      'Let a person open every account as support, unless its owners do not',
      `allow it. ${passwordLine}`,
    ],
    read: readAddSupport,
  },
  'list-support': {
    takes: '',
    does: ['List who can open every account as support.'],
    read: readListSupport,
  },
  'remove-support': {
    takes: '<email>',
    does: ['Remove a person from installation support. They keep their memberships.'],
    read: readRemoveSupport,
  },
  'list-searches': {
    takes: '[<email>]',
    does: ['List the newest searches at the support desk: of everyone, or of one person.'],
    read: readListSearches,
  },
  'set-limits': {
    takes: '<account> <keys> <webhooks>',
    does: [
      'Set how many active API keys and webhooks an account can have:',
      'numbers, or default for MAX_KEYS and MAX_WEBHOOKS.',
    ],
    read: readSetLimits,
  },
  'create-provisioner': {
    takes: '<name> [<days>]',
    does: [
      'Create a credential with which a test suite creates accounts of its own, for',
      '30 days or as many as you give. Prints its token.',
    ],
    read: readCreateProvisioner,
  },
  'list-provisioners': {
    takes: '',
    does: ['List the provisioners, with how many accounts each has.'],
    read: readListProvisioners,
  },
  'remove-provisioner': {
    takes: '<name>',
    does: ['Remove a provisioner and delete the accounts that it created.'],
    read: readRemoveProvisioner,
  },
  'reset-access': {
    takes: '<email>',
    does: ['Give a person a new password and end all their sessions.'],
    read: readResetAccess,
  },
  outbox: {
    takes: '[<id>]',
    does: ['List the emails in the outbox, or print one.'],
    read: readOutbox,
  },
  'reset-factors': {
    takes: '<email>',
    does: ['Remove all second factors of a person who lost theirs, and end their sessions.'],
    read: readResetFactors,
  },
  'revoke-leaked': {
    takes: '',
    does: [
      'Revoke the key of a leaked token. Reads the SHA-256 of the token from',
      'standard input: read -rs TOKEN; printf %s "$TOKEN" | sha256sum | …',
    ],
    readsInput: true,
    read: readRevokeLeaked,
  },
  'verify-audit': {
    takes: '[<account>]',
    does: [
      'Verify the audit log of one account or of all: lists which entries were',
      'changed and which are missing, and ends with exit code 1 if there are any.',
    ],
    read: readVerifyAudit,
  },
  doctor: {
    takes: '[<email>]',
    does: [
      'Check settings, database, Redis, mail, PUBLIC_URL, disk and file modes.',
      'With an address, also sends an email to it. Exit code 1 if something is wrong.',
    ],
    read: readDoctor,
  },
  backup: {
    takes: '<file>',
    does: ['Write a backup of the database to a file, also while the service runs.'],
    read: readBackup,
  },
  restore: {
    takes: '<file>',
    does: [
      'Restore a backup into the empty database of the settings, which may be of the',
      'other kind, embedded or PostgreSQL. Ends all sessions, holds deliveries, and',
      'lists the tokens that are valid now. Stop the service first.',
    ],
    read: readRestore,
  },
  'resume-deliveries': {
    takes: '[skip]',
    does: [
      'Send deliveries after a restore. With skip, those that were pending in the',
      'backup are cancelled.',
    ],
    read: readResumeDeliveries,
  },
  migrate: {
    takes: '',
    does: ['Create the tables, or change them to those of this version, as a start does.'],
    read: readMigrate,
  },
  'make-token': {
    takes: '',
    does: ['Print a token for INIT_API_KEY or DASHBOARD_CREDENTIAL.'],
    read: readMakeToken,
  },
  version: {
    takes: '',
    does: ['Print the version of the service in this folder.'],
    read: readVersion,
  },
};

/** The arguments, with the standard input as the last one if the command reads it. */
export async function addStandardInput(
  args: readonly string[],
  input: Readable,
): Promise<readonly string[]> {
  const [name = '', ...rest] = args;
  const readsInput = Object.hasOwn(commands, name) && commands[name]?.readsInput === true;
  return readsInput && rest.length === 0 ? [name, await text(input)] : args;
}

const helpOptions = ['--help', '-h'];
const askForHelp = new Set(['help', ...helpOptions]);
const helpLine = 'All commands: npm run admin -- help';

/**
 * The command that the arguments name; or an outcome that says what is wrong with them and how to
 * use the command. The other commands are left out, because they would scroll the reason away.
 */
export function readAdminCommand(args: readonly string[]): AdminCommand | AdminOutcome {
  const [name, ...rest] = args;
  if (name === undefined) return misused(`No command given.\n\n${describeCommands()}`);
  if (askForHelp.has(name)) return done(describeCommands());
  const use = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!use) return misused(`Unknown command "${name}".${suggest(name)} ${helpLine}`);
  const usage = ['Usage:', describeCommand(name, use), '', helpLine].join('\n');
  // Read before the arguments, most of which accept any text, such as the name of an account.
  if (rest.some((argument) => helpOptions.includes(argument))) return done(usage);
  const command = use.read(rest);
  return typeof command === 'string' ? misused(`${command}\n\n${usage}`) : withRefusalText(command);
}

function suggest(name: string): string {
  const near = Object.keys(commands).find((known) => editDistance(name, known) <= 2);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

function describeCommands(): string {
  const lines = Object.entries(commands).map(([name, use]) => describeCommand(name, use));
  return `Usage: npm run admin -- <command>

${lines.join('\n')}
${describeCommand('help', { takes: '', does: ['Show this text.'] })}

Name an account by its name, in quotes if it contains spaces, or by its ID.
The roles are ${roles.join(', ')}.
The commands read the same settings as the service, such as DATA_DIR and DATABASE_URL. You need not stop the service, except for restore.`;
}

/** Where the help says what commands do, in characters: to the right of the longest arguments. */
const columnOfEffects = 41;

function describeCommand(
  name: string,
  { takes, does }: Pick<CommandUse, 'takes' | 'does'>,
): string {
  return (
    `  ${name} ${takes}`.padEnd(columnOfEffects) + does.join(`\n${' '.repeat(columnOfEffects)}`)
  );
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
