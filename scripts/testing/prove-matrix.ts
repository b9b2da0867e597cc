import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Proves that the contract matrix notices faults: `node scripts/testing/prove-matrix.ts` puts one
 * fault after another into the working tree, runs the rows of the matrix that it concerns, and takes
 * it out again. A word as argument chooses the faults that contain it. Exits with 1 if a fault stays
 * unnoticed.
 */
type Fault = {
  breaks: string;
  file: string;
  /** A text that is in the file once. */
  find: string;
  replace: string;
  /** A part of the names of the tests that run. */
  row: string;
};

const faults: readonly Fault[] = [
  {
    breaks: 'a scope that only reads webhooks creates them',
    file: 'lib/contract/webhooks/webhooks.ts',
    find: "{ scope: 'webhooks:manage', act: 'webhooks.create' }",
    replace: "{ scope: 'webhooks:read', act: 'webhooks.create' }",
    row: 'createWebhook',
  },
  {
    breaks: 'support may end tokens',
    file: 'lib/contract/rights/roles.ts',
    find: "const supportActs: readonly Act[] = [\n  'api-keys.read',",
    replace: "const supportActs: readonly Act[] = [\n  'api-keys.read',\n  'api-keys.end-tokens',",
    row: 'endToken',
  },
  {
    breaks: 'conversations are found in any account',
    file: 'service/domain/conversations/store/conversations.ts',
    find: 'return and(\n    eq(conversations.accountId, accountId),',
    replace: 'return and(',
    row: 'getConversation',
  },
  {
    breaks: 'invitations are listed from all accounts',
    file: 'service/domain/people/store/invitations.ts',
    find: '.where(eq(invitations.accountId, accountId))\n    .orderBy',
    replace: '.orderBy',
    row: 'changes no list',
  },
  {
    breaks: 'keys of other accounts count towards a quota',
    file: 'service/domain/api-keys/store/keys.ts',
    find: 'return and(\n    eq(apiKeys.accountId, accountId),\n    isNull(apiKeys.revokedAt),',
    replace: 'return and(\n    isNull(apiKeys.revokedAt),',
    row: 'changes no list',
  },
  {
    breaks: 'members are removed without a fresh proof',
    file: 'lib/contract/people/members.ts',
    find: '  needsProof: true,\n  response: { 204: null },',
    replace: '  response: { 204: null },',
    row: 'removeMember',
  },
  {
    breaks: 'webhooks do not count as creations',
    file: 'lib/contract/webhooks/webhooks.ts',
    find: '  isCreationLimited: true,\n',
    replace: '',
    row: 'createWebhook',
  },
  {
    breaks: 'a session goes on when it is older than the account allows',
    file: 'service/domain/people/sessions/session-end.ts',
    find: 'return latestEnd(createdAt, account) <= now;',
    replace: 'return false;',
    row: 'getWebhook',
  },
  {
    breaks: 'a replaced session token changes things',
    file: 'service/http/mount.ts',
    find: '        requireCurrentSession(route, caller);\n',
    replace: '',
    row: 'renamePerson',
  },
  {
    breaks: 'a replaced token of a key manages keys',
    file: 'service/http/middleware/authorize.ts',
    find: "access.scope === 'api-keys:manage'",
    replace: "access.scope === 'api-keys:read'",
    row: 'updateApiKey',
  },
  {
    breaks: 'an Idempotency-Key is ignored',
    file: 'service/domain/idempotency/claim-request.ts',
    find: 'if (key === null) return { earlier: null, keep',
    replace: 'if (key !== undefined) return { earlier: null, keep',
    row: 'createConversation gives',
  },
  {
    breaks: 'a body may have unknown fields',
    file: 'lib/contract/webhooks/webhook-inputs.ts',
    find: 'export const createWebhookInput = z\n  .strictObject({',
    replace: 'export const createWebhookInput = z\n  .object({',
    row: 'createWebhook',
  },
  {
    breaks: 'a list takes unknown parameters',
    file: 'lib/contract/fields/fields.ts',
    find: '.strictObject({ ...filters, ...pageQuery, follow })',
    replace: '.object({ ...filters, ...pageQuery, follow })',
    row: 'listEvents',
  },
  {
    breaks: 'a status is sent that is not documented',
    file: 'service/http/mount.ts',
    find: 'const response = { status, body',
    replace: "const response = { status: route.name === 'retryDelivery' ? 203 : status, body",
    row: 'retryDelivery',
  },
  {
    breaks: 'a required second factor is not asked for',
    file: 'service/domain/people/second-factors/required-factor.ts',
    find: 'return isRequired(member.secondFactorRequiredFrom, now) && !isFactorIn(member);',
    replace: 'return isRequired(member.secondFactorRequiredFrom, now) && isFactorIn(member);',
    row: 'listMembers',
  },
  {
    breaks: 'a key works outside of its networks',
    file: 'service/domain/api-keys/tokens/authenticate-token.ts',
    find: 'if (!isAddressAllowed(origin.ip, record.key.allowedCidrs)) {',
    replace: 'if (!isAddressAllowed(origin.ip, [])) {',
    row: 'listWebhooks',
  },
  {
    breaks: 'an account that is being deleted can be read',
    file: 'service/http/middleware/authorize.ts',
    find: 'actor.isAccountDeleted && isAboutAccount(route)',
    replace: 'actor.isAccountDeleted && !isAboutAccount(route)',
    row: 'getAccount',
  },
];

const root = new URL('../../', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'prove-matrix-'));
const report = join(directory, 'report.json');

type Report = {
  testResults: {
    message: string;
    assertionResults: { status: string; title: string; failureMessages: string[] }[];
  }[];
};

/** What the matrix says about the rows; each failure as a line. */
function failuresOf(rows: readonly string[]): string[] {
  const pattern = rows.join('|');
  const file = 'service/http/tests/contract-matrix.test.ts';
  const reporting = ['--reporter=json', `--outputFile=${report}`];
  const runner = ['node_modules/vitest/vitest.mjs', 'run', file, '-t', pattern, ...reporting];
  spawnSync(process.execPath, runner, { cwd: root, stdio: 'ignore' });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  rmSync(report);
  return testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message.split('\n', 1).join()]),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .flatMap(({ title, failureMessages }) =>
        failureMessages.map((failure) => `${title}: ${firstLineOf(failure)}`),
      ),
  ]);
}

function firstLineOf(message: string): string {
  return message
    .replace(/^AssertionError: /, '')
    .split('\n', 1)
    .join();
}

function failuresWith({ file, find, replace, row }: Fault): string[] {
  const path = new URL(file, root);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} does not have once: ${find}`);
  try {
    writeFileSync(
      path,
      source.replace(find, () => replace),
    );
    return failuresOf([row]);
  } finally {
    writeFileSync(path, source);
  }
}

const [word = ''] = process.argv.slice(2);
const chosen = faults.filter(({ breaks }) => breaks.includes(word));
const withoutFault = failuresOf([...new Set(chosen.map(({ row }) => row))]);
if (withoutFault.length > 0) throw new Error(`red without a fault: ${withoutFault.join('; ')}`);
let unnoticed = 0;
for (const fault of chosen) {
  const failures = failuresWith(fault);
  if (failures.length === 0) unnoticed += 1;
  console.log(
    `${failures.length > 0 ? 'noticed' : 'NOT NOTICED'}: ${fault.breaks} (${fault.file})`,
  );
  for (const failure of failures) console.log(`  ${failure.slice(0, 200)}`);
}
rmSync(directory, { recursive: true });
if (unnoticed > 0) process.exitCode = 1;
