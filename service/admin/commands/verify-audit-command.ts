import { countOf, formatCount } from '#lib/count.ts';
import {
  verifyAuditAsOperator,
  type AccountReport,
  type ChainFault,
  type ChainReport,
} from '../../domain/audit/chain/verify-chain.ts';
import { findAccountAsOperator } from '../../domain/people/members/operator/accounts-as-operator.ts';
import type { OperatorContext } from '../../domain/people/members/operator/operator.ts';
import { describeAmbiguousAccount } from './account-commands.ts';
import { readAccount } from './read-arguments.ts';
import { done, reported } from '../outcome.ts';
import type { AdminOutcome, CommandReader } from '../outcome.ts';

export const readVerifyAudit: CommandReader = (args) => {
  if (args.length > 1) return 'verify-audit takes no arguments, or one account.';
  const [text] = args;
  return async (ctx) => {
    if (text === undefined) return await verify(ctx, null);
    const account = readAccount(text);
    const found = await findAccountAsOperator(ctx.db, account);
    if (found.kind !== 'found') {
      return describeAmbiguousAccount(found, { account, now: ctx.clock.now() });
    }
    return await verify(ctx, found.account);
  };
};

async function verify(
  ctx: OperatorContext,
  only: AccountReport['account'] | null,
): Promise<AdminOutcome> {
  const lines: string[] = [];
  let accounts = 0;
  let faulty = 0;
  for await (const report of verifyAuditAsOperator(ctx, only)) {
    accounts += 1;
    if (report.report.faultCount > 0) faulty += 1;
    lines.push(...describeReport(report));
  }
  if (accounts === 0) return done('There are no accounts yet.');
  if (faulty === 0) return done(lines.join('\n'));
  const of =
    accounts === 1 ? '1 account' : `${formatCount(faulty)} of ${countOf(accounts, 'account')}`;
  return reported(
    [...lines, '', `The audit log of ${of} is not as the service wrote it.`].join('\n'),
    false,
  );
}

function describeReport({ account, report }: AccountReport): string[] {
  const { faults, faultCount } = report;
  const name = `${account.id} ${account.name}`;
  const rest = faultCount - faults.length;
  return [
    `${name}: ${faultCount === 0 ? 'ok' : 'FAULT'}, ${describeEntries(report)}`,
    ...faults.map((fault) => `  ${describeFault(fault)}`),
    ...(rest > 0 ? [`  ${countOf(rest, 'more fault is', 'more faults are')} not listed.`] : []),
  ];
}

function describeEntries({ entries, end }: ChainReport): string {
  const count = countOf(entries, 'entry', 'entries');
  return end ? `${count}, end ${end.sequence} ${end.hash.toString('hex').slice(0, 16)}` : count;
}

function describeFault(fault: ChainFault): string {
  switch (fault.kind) {
    case 'changed':
      return `changed: entry ${fault.id}, number ${fault.sequence}`;
    case 'missing':
      return `missing: ${describeNumbers(fault)}`;
    case 'truncated':
      return `missing at the end: ${describeNumbers(fault)}`;
    case 'head_missing':
      return 'the head is missing, so entries may be missing at the end';
    case 'head_changed':
      return 'the head was changed, so entries may be missing at either end';
    case 'head_was_changed':
      return `the head was changed or removed before number ${fault.sequence} was written, so entries may be missing before it`;
    case 'outside_chain':
      return `outside the chain: entry ${fault.id}`;
  }
}

function describeNumbers({ from, to }: { from: number; to: number }): string {
  return from === to ? `number ${from}` : `numbers ${from} to ${to}`;
}
