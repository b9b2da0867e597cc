import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { chapters } from '#lib/docs/documents.ts';
import { settings } from '#service/config/settings.ts';
import { temporaryFolder } from '#service/testing/temporary-folder.ts';
import { startCommand } from './tables.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The documents of a YAML file, which has no mistakes that a parser notices. */
function parse(file: string): unknown[] {
  return parseAllDocuments(read(file)).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS() as unknown;
  });
}

const isSetting = (name: string) => settings.keyof().safeParse(name).success;

test('the image starts the service with the variables and flags of npm start', () => {
  const dockerfile = read('Dockerfile');
  const [, variables = '', flags = ''] =
    /^(.*) node_modules\S+ (.*) scripts\/start\.ts$/.exec(startCommand()) ?? [];
  const command = ['node', ...flags.split(' '), 'service/main.ts'];
  expect(dockerfile).toContain(`\nCMD ${JSON.stringify(command).replaceAll(',', ', ')}\n`);
  for (const variable of variables.split(' ')) {
    // The folder of the code cannot be written to.
    const [name] = variable.split('=');
    expect(dockerfile).toContain(name === 'NODE_COMPILE_CACHE' ? `${name}=/tmp` : variable);
  }
});

test('the image is built with the documents that the dashboard shows', () => {
  const ignored = read('.dockerignore').split('\n').slice(1, -1);
  const shown = chapters.flatMap(({ files }) => files).map((file) => `docs/${file}`);
  const isIgnored = (file: string) =>
    ignored.some((path) => file === path || file.startsWith(`${path}/`));
  expect(shown.filter(isIgnored)).toEqual([]);
});

test('compose.yaml sets only settings that the service knows', () => {
  const composeSchema = z.object({
    services: z.object({ service: z.object({ environment: z.record(z.string(), z.string()) }) }),
  });
  const [document] = parse('compose.yaml');
  const { environment } = composeSchema.parse(document).services.service;
  expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([]);
});

test('the Caddy of compose.yaml does what the chapter about proxies shows', () => {
  const configSchema = z.object({
    configs: z.object({ caddyfile: z.object({ content: z.string() }) }),
  });
  const [document] = parse('compose.yaml');
  const { content } = configSchema.parse(document).configs.caddyfile;
  const [, shown] = /```caddy\n([^]*?)```/.exec(read('docs/operations/proxies.md')) ?? [];
  const named = content.replaceAll('${HOST_NAME}', 'dashboard.example.com');
  expect(named.replace('service:3000', '127.0.0.1:3000')).toBe(shown);
});

const blockOf = (file: string, start: string) => {
  const [, indent = '', block = ''] =
    new RegExp(`^( *)\`\`\`\\w*\\n( *${start}[^]*?)^\\1\`\`\`$`, 'm').exec(read(file)) ?? [];
  return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
};

test('the chapter about containers sets what compose.yaml requires, and nothing that it does not use', () => {
  const shown = Object.keys(parseEnv(blockOf('docs/operations/containers.md', 'HOST_NAME=')));
  const used = Array.from(read('compose.yaml').matchAll(/\$\{(\w+)(:\?)?/g));
  const required = used.flatMap(([, name, mark]) => (mark === ':?' ? [name] : []));
  expect(used.map(([, name]) => name)).toEqual(expect.arrayContaining(shown));
  expect(shown).toEqual(expect.arrayContaining(required));
});

test('the secret that the chapter about containers creates is the one that the manifests use', () => {
  const command = blockOf('docs/operations/containers.md', 'kubectl').trim();
  const [, name = ''] = /^kubectl create secret generic (\S+) /.exec(command) ?? [];
  expect(read('deploy/kubernetes.yaml')).toContain(`secretRef: { name: ${name} }`);
  if (spawnSync('kubectl', ['version', '--client']).error) return;
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'secrets.env'), 'SECRET_KEY=x\n');
  const script = `${command} --dry-run=client --output=yaml`;
  const { stdout } = spawnSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
  expect(parseAllDocuments(stdout)[0]?.toJS()).toMatchObject({ data: { SECRET_KEY: btoa('x') } });
});

test('the routers of Traefik use middlewares and services that the configuration has', () => {
  const traefikSchema = z.strictObject({
    http: z.strictObject({
      routers: z.record(
        z.string(),
        z.strictObject({
          rule: z.string(),
          entryPoints: z.array(z.enum(['web', 'websecure'])),
          service: z.string(),
          middlewares: z.array(z.string()).default([]),
          tls: z.object({ certResolver: z.string() }).optional(),
        }),
      ),
      middlewares: z.record(z.string(), z.unknown()),
      services: z.record(z.string(), z.unknown()),
    }),
  });
  const [document] = parseAllDocuments(blockOf('docs/operations/proxies.md', 'http:'));
  const { routers, middlewares, services } = traefikSchema.parse(document?.toJS()).http;
  for (const router of Object.values(routers)) {
    expect(services).toHaveProperty([router.service]);
    for (const name of router.middlewares) expect(middlewares).toHaveProperty([name]);
  }
});

const labels = z.record(z.string(), z.string());
const podSchema = z.object({
  spec: z.object({
    containers: z.array(
      z.looseObject({
        env: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
        ports: z.array(z.object({ name: z.string() })).optional(),
      }),
    ),
  }),
});
const manifestSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ConfigMap'), data: labels }),
  z.object({ kind: z.literal('Job'), spec: z.object({ template: podSchema }) }),
  z.object({
    kind: z.literal('Deployment'),
    spec: z.object({
      selector: z.object({ matchLabels: labels }),
      template: podSchema.extend({ metadata: z.object({ labels }) }),
    }),
  }),
  z.object({
    kind: z.literal('PodDisruptionBudget'),
    spec: z.object({ selector: z.object({ matchLabels: labels }) }),
  }),
  z.object({ kind: z.literal('Service'), spec: z.object({ selector: labels }) }),
  z.object({ kind: z.literal('Ingress') }),
]);

test('the manifests for Kubernetes select the pods that they create, and set only known settings', () => {
  const manifests = parse('deploy/kubernetes.yaml').map((each) => manifestSchema.parse(each));
  const deployments = manifests.flatMap((each) => (each.kind === 'Deployment' ? [each.spec] : []));
  const pods = deployments.map(({ template }) => template.metadata.labels);
  expect(pods.map(({ role }) => role)).toEqual(['api', 'worker', 'web']);
  for (const { selector, template } of deployments) {
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    for (const container of template.spec.containers) {
      expect(container.env).toEqual([{ name: 'ROLES', value: selector.matchLabels['role'] }]);
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
        expect(container[probe]).toMatchObject({ httpGet: { port: container.ports?.[0]?.name } });
      }
    }
  }
  for (const each of manifests) {
    if (each.kind === 'PodDisruptionBudget')
      expect(pods).toContainEqual(each.spec.selector.matchLabels);
    if (each.kind === 'Service') expect(pods).toContainEqual(each.spec.selector);
    if (each.kind === 'ConfigMap') {
      expect(Object.keys(each.data).filter((name) => !isSetting(name))).toEqual([]);
    }
  }
});
