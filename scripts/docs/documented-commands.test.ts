import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { messageIdOf } from '#lib/contract/deliveries/delivery-subject.ts';
import { eventDataOf } from '#lib/contract/events/events.ts';
import { chapters } from '#lib/docs/documents.ts';
import { tokenVariable } from '#lib/docs/samples.ts';
import { readAdminCommand } from '#service/admin/commands.ts';
import { loadConfig } from '#service/config/load-config.ts';
import { settings } from '#service/config/settings.ts';
import { runCommand } from '#service/testing/admin-commands.ts';
import { dataOf, TestApi } from '#service/testing/api.ts';
import type { TestAccount } from '#service/testing/api.ts';
import { createTestContext } from '#service/testing/context.ts';
import type { TestContext } from '#service/testing/context.ts';
import { keepMigratedDatabase } from '#service/testing/databases/migrated-data-folder.ts';
import { ApiListener } from '#service/testing/http/api-listener.ts';
import { startService } from '#service/testing/processes/service-process.ts';
import type { ServiceProcess } from '#service/testing/processes/service-process.ts';
import { addAttempt, addDelivery, addEvent } from '#service/testing/records/deliveries.ts';
import { useTemporaryFolder } from '#service/testing/temporary-folder.ts';

type Block = { document: string; text: string };
type Proof = (block: Block) => void | Promise<void>;

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

const changesTheMachine = cannotRun('changes users and services of a machine that systemd runs');
const installs = cannotRun('installs all packages; `.ci/run` does so in a clean checkout');
const snippets = testedIn('service/delivery/tests/signature-snippets.test.ts');
const proxies = testedIn('service/tests/proxies.durability.test.ts');
const containers = testedIn('scripts/docs/containers.test.ts');
const rights = testedIn('service/db/postgres/grant-rights.postgres.test.ts');
const client = testedIn('service/tests/packed-client.test.ts');
const kit = testedIn('e2e/packed-kit.spec.ts');

/** How each block of code is proved, by document and by how the block begins. */
const proofs: Record<string, Record<string, Proof>> = {
  'docs/guides/api-clients.md': {
    curl: calls,
    '$ ': calls,
    const: programs,
    RateLimit: limitHeaders,
  },
  'docs/guides/changes.md': { Deprecation: deprecation },
  'docs/guides/webhook-receivers.md': {
    curl: calls,
    '$ ': calls,
    '{\n  "type": "message.created"': event,
    'import { createHmac': snippets,
    'import base64': snippets,
    'package webhooks': snippets,
    '<?php': snippets,
    'require ': snippets,
    'import java': snippets,
    'using System': snippets,
  },
  'docs/operations/commands.md': {
    'npm run admin -- create-account': prints(/^Created account "Acme Ltd"/m),
    curl: calls,
  },
  'docs/operations/containers.md': {
    'docker build': cannotRun('needs a container engine; containers.test.ts checks the Dockerfile'),
    'docker compose exec service ': prints(/^note +mail +wrote an email to you@example\.com/m),
    HOST_NAME: containers,
    kubectl: containers,
  },
  'docs/operations/proxies.md': {
    PUBLIC_URL: validSettings,
    upstream: proxies,
    'dashboard.example.com {': proxies,
    defaults: proxies,
    'http:': containers,
  },
  'docs/operations/running.md': {
    NODE_COMPILE_CACHE: testedIn('scripts/docs/tables.ts'),
    'npm run -s admin -- make-token': prints(/^sk_live_\S+$/m),
    rule_files: testedIn('scripts/docs/monitoring.test.ts'),
    'npm run admin -- backup': prints(/^Wrote \d+ rows/m),
    tar: cannotRun('needs an archive of 80 MB; e2e/own-server/bundle.spec.ts starts one'),
  },
  'docs/operations/scaling.md': {
    'alter role': testedIn('service/db/postgres/server-settings.postgres.test.ts'),
  },
  'docs/operations/systemd.md': {
    'cd /opt/conversation-service\nnpm install': installs,
    useradd: changesTheMachine,
    PUBLIC_URL: validSettings,
    'cp docs/operations/conversation-service.service': changesTheMachine,
    'cd /opt/conversation-service\nset -a': prints(/^(?:ID +NAME|There are no accounts)/m),
    'cd /opt/conversation-service\nsystemctl': changesTheMachine,
  },
  'docs/security/for-operators.md': { createuser: rights, grant: rights },
  'packages/client/README.md': { npm: client, import: client, export: client },
  'packages/playwright-kit/README.md': {
    'npm install': kit,
    'npm run admin -- create-provisioner': prints(
      /^Created the provisioner "Suite of the bot team"/m,
    ),
    export: kit,
    import: kit,
  },
  'README.md': {
    'npm install && npm start': installs,
    'Ready: ': readyLines,
    'npm install && npm test': installs,
    export: calls,
  },
};

const documents = [
  'README.md',
  ...globSync('packages/*/README.md', { cwd: root }),
  ...chapters.flatMap(({ files }) => files.map((file) => `docs/${file}`)),
];
const blocks = documents.flatMap((document) =>
  Array.from(read(document).matchAll(/^( *)```\w*\n([^]*?)^\1```$/gm), ([, indent = '', code]) => {
    const text = (code ?? '').replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const start = Object.keys(proofs[document] ?? {}).find((one) => text.startsWith(one));
    return { document, text, start };
  }),
);

const folder = useTemporaryFolder();
const dataDir = join(folder, 'data');
/** The service as a process, which operators command. */
let service: ServiceProcess;
// By itself, because it takes long on the first run.
beforeAll(async () => void (await keepMigratedDatabase()));
beforeAll(async () => {
  service = await startService({ DATA_DIR: dataDir });
});
afterAll(() => service.kill());

/** The service that is called, with a clock that can be moved. */
const listener = new ApiListener();
let ctx: TestContext;
let account: TestAccount;
/** What the documents write for what exists here. */
const written = new Map<string, string>();
beforeAll(async () => {
  ctx = await createTestContext();
  const api = new TestApi(ctx);
  await listener.serve(ctx, api);
  account = await api.account();
  const { token } = await account.key({ name: 'Warehouse import' });
  await account.webhook();
  const regenerate = '/api/v1/webhooks/1/regenerate-secret';
  const { secret } = dataOf<{ secret: string }>(await api.call('POST', regenerate, { token }));
  await deliverEvent(secret);
  await api.call('POST', '/api/v1/conversations', { token, body: { subject: 'Order' } });
  const provisioner = await runCommand(ctx, 'create-provisioner', 'Suite');
  written
    .set('http://localhost:3000', listener.url)
    .set('https://dashboard.example.com', listener.url)
    .set('$PROVISIONER_TOKEN', provisioner.text.split(/\s+/).at(-1) ?? '');
});
afterAll(async () => {
  await listener.close();
  await ctx.dispose();
});

/** Records a delivery, whose receiver computes the signature in hexadecimal. */
async function deliverEvent(secret: string): Promise<void> {
  const sent = await addEvent(ctx, account.id);
  const delivery = await addDelivery(ctx, sent, { webhookId: 1, status: 'delivered' });
  const id = messageIdOf(sent.uuid, { isTest: false });
  const seconds = String(Math.floor(ctx.clock.now().getTime() / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${sent.payload}`).digest();
  const signature = `v1,${digest.toString('base64')}`;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signature,
  };
  await addAttempt(ctx, delivery, { requestHeaders: headers });
  written
    .set('msg_…', id)
    .set('"1795170588"', `"${seconds}"`)
    .set('v1,…', signature)
    .set('fbe25e…', digest.toString('hex'));
}

test('every block of code has a proof, and every proof a block', () => {
  expect(blocks.filter(({ start }) => start === undefined)).toEqual([]);
  for (const [document, starts] of Object.entries(proofs)) {
    const used = blocks.flatMap((block) => (block.document === document ? [block.start] : []));
    expect(new Set(used)).toEqual(new Set(Object.keys(starts)));
  }
});

test.each(blocks.map((block) => [block.document, block.text.split(/ -H|\n/)[0], block] as const))(
  '%s: %s',
  async (document, _command, block) => await proofs[document]?.[block.start ?? '']?.(block),
);

test.each(documents)('the commands that %s names exist', (document) => {
  const uses = (pattern: RegExp) =>
    Array.from(read(document).matchAll(pattern), ([, name = '']) => name);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(uses(/npm run (?:-s )?([\w:]+)/g)));
  for (const use of uses(/`npm run (?:-s )?admin -- ([a-z][^`]*)`/g)) {
    const [name = '', ...args] = use.split(' ');
    const command = readAdminCommand([name, ...(args.length > 0 ? args : ['--help'])]);
    expect(typeof command === 'function' || command.exitCode === 0, use).toBe(true);
  }
  const { services } = parse(read('compose.yaml')) as { services: object };
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining(uses(/docker compose (?:exec|logs) (\w+)/g)),
  );
  const manifests = read('deploy/kubernetes.yaml');
  for (const name of uses(/kubectl delete job ([\w-]+)/g)) expect(manifests).toContain(name);
});

/** Calls the API, which responds with the status and the fields that the block shows. */
async function calls({ text }: Block): Promise<void> {
  const isTerminal = text.startsWith('$ ');
  for (const part of text.split('\n\n').filter((one) => !isTerminal || one.startsWith('$ '))) {
    // A test event and a retry are possible once a minute.
    ctx.clock.advance(60_000);
    const { token } = await account.key({ mayRotateItself: true });
    const [, lines = '', output = ''] = /^((?:(?!\{"|id: ).*\n?)*)([^]*)$/.exec(part) ?? [];
    const command = [...written, ['sk_live_…', token] as const].reduce(
      (filled, [documented, here]) => filled.replaceAll(documented, here),
      lines.replaceAll(/^\$ /gm, ''),
    );
    expect(command).not.toContain('…');
    // The response goes on until someone ends it.
    const isEndless = command.startsWith('curl -sN ');
    const script = `
      uuidgen() { cat /proc/sys/kernel/random/uuid; }
      curl() { command curl -s ${isEndless ? '--max-time 2' : ''} -w '\\n%{http_code}' "$@"; }
      ${command}`;
    const env = { ...process.env, [tokenVariable]: token };
    const stdout = await outputOf(script, { env, mayFail: isEndless });
    const [, body = '', status = ''] = /^([^]*)\n(\d+)$/.exec(stdout) ?? [];
    const isRefused = /^\{"(?:message|success":false)/.test(output);
    expect(status, stdout).toMatch(isRefused ? '401' : /^2/);
    if (!output.startsWith('{')) continue;
    const [answer, shown] = [body, output.replaceAll(',…}', '}')].map(
      (json) => JSON.parse(json) as object,
    );
    if (isRefused) expect(answer).toEqual(shown);
    else expect(shapeOf(answer)).toMatchObject(shapeOf(shown) as object);
  }
}

/** Runs the programs of the document, which continue one another. */
async function programs({ document }: Block): Promise<void> {
  const all = blocks.filter((block) => block.document === document && block.start === 'const');
  const { token } = await account.key();
  const logged: unknown[][] = [];
  const code = all
    .map(({ text }) => text.replaceAll('http://localhost:3000', listener.url))
    // Each declares its own URL.
    .map((text) => text.replace('const url =', 'var url ='))
    .join('\n');
  const ended = runInNewContext(`(async () => {${code}})()`, {
    process: { env: { [tokenVariable]: token } },
    console: { log: (...line: unknown[]) => logged.push(line) },
    fetch,
    URL,
    setTimeout() {
      throw new Error('nothing new');
    },
  }) as Promise<void>;
  await expect(ended).rejects.toThrow('nothing new');
  expect(logged).toContainEqual([1, 'Order']);
}

async function limitHeaders({ text }: Block): Promise<void> {
  const { token } = await account.key();
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${listener.url}/api/v1/api-key`, { headers });
  const withoutCounts = (line: string) => line.replaceAll(/[rt]=\d+/g, '');
  for (const line of text.trim().split('\n')) {
    const [name = ''] = line.split(':');
    const sent = `${name}: ${response.headers.get(name)}`;
    expect(withoutCounts(sent)).toBe(withoutCounts(line));
  }
}

/** No operation is deprecated yet: the example keeps the promise of twelve months. */
function deprecation({ text }: Block): void {
  const [, seconds, end = ''] = /^Deprecation: @(\d+)\nSunset: (.*)$/m.exec(text) ?? [];
  expect(new Date(end).toUTCString()).toBe(end);
  const months = (Date.parse(end) / 1000 - Number(seconds)) / (30 * 24 * 3600);
  expect(months).toBeGreaterThan(12);
}

function event({ text }: Block): void {
  const { data } = JSON.parse(text) as { data: unknown };
  expect(eventDataOf('message.created').parse(data)).toEqual(data);
}

function validSettings({ text }: Block): void {
  expect(() => loadConfig(parseEnv(text))).not.toThrow();
  const known = Object.keys(parseEnv(text)).map((name) => settings.keyof().parse(name));
  expect(known.length).toBeGreaterThan(1);
}

/** Runs a command of an operator beside the service. */
function prints(pattern: RegExp): Proof {
  return async ({ document, text }) => {
    mkdirSync(join(folder, 'backups'), { recursive: true });
    const file = blocks.find((one) => one.document === document && one.start === 'PUBLIC_URL');
    writeFileSync(join(folder, 'settings.env'), file?.text ?? '');
    const script = text
      .replace('docker compose exec service ', '')
      .replaceAll('/etc/conversation-service.env', join(folder, 'settings.env'))
      .replaceAll('/var/lib/conversation-service', dataDir)
      .replaceAll('/opt/conversation-service', root)
      .replaceAll('/backups/', join(folder, 'backups/'));
    const { PATH, HOME } = process.env;
    const env: NodeJS.ProcessEnv = { NODE_ENV: 'production', PATH, HOME, DATA_DIR: dataDir };
    // The doctor finds that no proxy responds at PUBLIC_URL.
    const mayFail = script.includes(' doctor ');
    expect(await outputOf(script, { env, mayFail })).toMatch(pattern);
  };
}

/** The first lines of a service on an empty database. */
function readyLines({ text }: Block): void {
  const printed = service
    .output()
    .replace(/, port \d+$/m, '')
    .replace(/#.*$/m, '#…');
  expect(printed.replaceAll(/http:\/\/[^/ ]+/g, 'http://localhost:3000')).toContain(text);
}

/** A test that takes the block from the document, or at least knows the variables it exports. */
function testedIn(file: string): Proof {
  return ({ document, text }) => {
    const exported = Array.from(text.matchAll(/^export (\w+)=/gm), ([, name = '']) => name);
    const missing = [basename(document), ...exported].filter((word) => !read(file).includes(word));
    expect(missing, file).toEqual([]);
  };
}

/** What a test cannot do. The shell can read it, at least. */
function cannotRun(_reason: string): Proof {
  return ({ text }) =>
    expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
}

async function outputOf(
  script: string,
  { env, mayFail }: { env: NodeJS.ProcessEnv; mayFail: boolean },
): Promise<string> {
  try {
    return (await run('sh', ['-c', script], { cwd: root, env })).stdout;
  } catch (error) {
    if (!mayFail) throw error;
    return (error as { stdout: string }).stdout;
  }
}

/** The fields of a body with the kinds of their values; of a list, the first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}
