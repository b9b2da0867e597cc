import { name as accountName } from '#lib/contract/fields.ts';
import { signInInput } from '#lib/contract/dashboard.ts';
import { roles } from '#lib/contract/roles.ts';
import type { Role } from '#lib/contract/roles.ts';
import { addMemberAsOperator } from '../domain/people/members/add-member-as-operator.ts';
import type { AddedMember } from '../domain/people/members/add-member-as-operator.ts';
import { createAccountAsOperator } from '../domain/people/members/create-account-as-operator.ts';
import type { OperatorContext } from '../domain/people/members/operator.ts';
import { resetAccess } from '../domain/people/passwords/reset-access.ts';

const usage = `Usage:
  npm run admin -- create-account <name> <owner e-mail>   make an account; prints the owner's password if they are new
  npm run admin -- add-member <account> <e-mail> <role>   make a person a member, or change their role; prints their password if they are new
  npm run admin -- reset-access <e-mail>                  give a person a new password and end their sessions
  npm run admin -- make-token                             print a token for INIT_API_KEY or DASHBOARD_CREDENTIAL

An account is named by its name or its id. The roles are ${roles.join(', ')}.
All but the last work on the database the service is configured for, whether or not it runs.`;

/** What a command says, and the process's exit code: 0 done, 1 could not be done, 2 wrong usage. */
export type AdminOutcome = { exitCode: 0 | 1 | 2; text: string };

export type AdminCommand = (ctx: OperatorContext) => Promise<AdminOutcome>;

/** The command that the arguments name, or what is wrong with them and how to use the program. */
export function readAdminCommand(args: readonly string[]): AdminCommand | AdminOutcome {
  const command = readCommand(args);
  if (typeof command !== 'string') return command;
  return { exitCode: 2, text: `${command}\n\n${usage}` };
}

function readCommand([verb, ...rest]: readonly string[]): AdminCommand | string {
  if (verb === undefined) return 'Give a command.';
  if (verb === 'create-account') return readCreateAccount(rest);
  if (verb === 'add-member') return readAddMember(rest);
  if (verb === 'reset-access') return readResetAccess(rest);
  return `There is no command "${verb}".`;
}

function readCreateAccount(args: readonly string[]): AdminCommand | string {
  if (args.length !== 2)
    return 'create-account takes a name (in quotes if it has spaces) and an e-mail address.';
  const name = accountName.safeParse(args[0]);
  if (!name.success) return `The name is not right: ${reasonOf(name.error)}`;
  const email = readEmail(args[1]);
  if ('reason' in email) return email.reason;
  return async (ctx) => {
    const { password } = await createAccountAsOperator(ctx, { name: name.data, ...email });
    const made = `The account "${name.data}" is made. Its owner is ${email.email}`;
    const text =
      password === null
        ? `${made}, who signs in as before.`
        : `${made}, who signs in with this password. It is shown only now:\n\n  ${password}\n`;
    return { exitCode: 0, text };
  };
}

function readAddMember(args: readonly string[]): AdminCommand | string {
  const [account = '', , role] = args;
  if (args.length !== 3) return 'add-member takes an account, an e-mail address and a role.';
  const email = readEmail(args[1]);
  if ('reason' in email) return email.reason;
  const wanted = roles.find((known) => known === role);
  if (!wanted) return `There is no role "${role}". The roles are ${roles.join(', ')}.`;
  return async (ctx) => {
    const named = { account: account.normalize('NFC').trim(), ...email, role: wanted };
    return sayAdded(await addMemberAsOperator(ctx, named), named);
  };
}

function sayAdded(
  added: AddedMember,
  { account, email, role }: { account: string; email: string; role: Role },
): AdminOutcome {
  if (added.kind === 'no_account') {
    return { exitCode: 1, text: `There is no account "${account}".` };
  }
  if (added.kind === 'many_accounts') {
    const ids = added.accounts.map(({ id }) => `  ${id}\n`).join('');
    return { exitCode: 1, text: `Several accounts are called "${account}". Give an id:\n\n${ids}` };
  }
  const where = `of the account "${added.account.name}"`;
  if (added.kind === 'last_owner') {
    return {
      exitCode: 1,
      text: `${email} is the last owner ${where}. Make somebody else one first.`,
    };
  }
  if (added.kind === 'unchanged')
    return { exitCode: 0, text: `${email} is ${role} ${where} already.` };
  const is = `${email} is now ${role} ${where}`;
  if (added.kind === 'changed')
    return { exitCode: 0, text: `${is}, and was ${added.from} before.` };
  return added.password === null
    ? { exitCode: 0, text: `${is} and signs in as before.` }
    : {
        exitCode: 0,
        text: `${is} and signs in with this password. It is shown only now:\n\n  ${added.password}\n`,
      };
}

function readResetAccess(args: readonly string[]): AdminCommand | string {
  if (args.length !== 1) return 'reset-access takes one e-mail address.';
  const email = readEmail(args[0]);
  if ('reason' in email) return email.reason;
  return async (ctx) => {
    const reset = await resetAccess(ctx, email.email);
    if (!reset) return { exitCode: 1, text: `Nobody has the e-mail address ${email.email}.` };
    const ended = reset.endedSessions === 1 ? '1 session' : `${reset.endedSessions} sessions`;
    return {
      exitCode: 0,
      text: `${ended} ended. ${email.email} signs in with this password. It is shown only now:\n\n  ${reset.password}\n`,
    };
  };
}

function readEmail(text: string | undefined): { email: string } | { reason: string } {
  const email = signInInput.shape.email.safeParse(text);
  return email.success
    ? { email: email.data }
    : { reason: `The e-mail address is not right: ${reasonOf(email.error)}` };
}

function reasonOf(error: { issues: readonly { message: string }[] }): string {
  return error.issues.map(({ message }) => message).join(' ');
}
