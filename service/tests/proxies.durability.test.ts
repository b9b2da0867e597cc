import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as requestPlain } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestSecure } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { certificates, testAuthority } from '../testing/delivery/certificates.ts';
import { startService } from '../testing/processes/service-process.ts';
import type { ServiceProcess } from '../testing/processes/service-process.ts';
import { useTemporaryFolder } from '../testing/temporary-folder.ts';
import { newToken } from '../tokens/token.ts';

const chapter = readFileSync(new URL('../../docs/operations/proxies.md', import.meta.url), 'utf8');
const folder = useTemporaryFolder();
const token = newToken();
/** Not that of the proxy, which the service trusts. */
const clientAddress = '127.0.0.2';

type Ports = { https: number; http: number; service: number };

type Proxy = {
  /** The configuration as a file, from what the chapter shows. */
  configure: (shown: string) => string;
  command: (file: string) => [string, ...string[]];
};

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    configure: (shown) => `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
http {
  access_log off;
  client_body_temp_path ${folder}; proxy_temp_path ${folder};
  fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
${shown}
}`,
    command: (file) => ['nginx', '-c', file, '-p', folder],
  },
  caddy: {
    configure: (shown) => `{
  admin off
  auto_https off
}
${shown.replace('{\n', `{\n  tls ${folder}/cert.pem ${folder}/key.pem\n`)}`,
    command: (file) => ['caddy', 'run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    configure: (shown) => shown,
    command: (file) => ['haproxy', '-db', '-f', file],
  },
};

/** With free ports and the certificate of this test. */
function adapt(shown: string, { https, http, service }: Ports): string {
  return shown
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${service}`)
    .replaceAll('listen 443', `listen ${https}`)
    .replaceAll('listen 80', `listen ${http}`)
    .replaceAll('bind :443', `bind :${https}`)
    .replaceAll('bind :80', `bind :${http}`)
    .replaceAll('http://dashboard.example.com', `http://localhost:${http}`)
    .replace(/^dashboard\.example\.com/m, `localhost:${https}`)
    .replaceAll('dashboard.example.com', 'localhost')
    .replaceAll('/etc/ssl/dashboard.pem', `${folder}/cert.pem`)
    .replaceAll('/etc/ssl/dashboard.key', `${folder}/key.pem`)
    .replaceAll('/etc/ssl/dashboard-with-key.pem', `${folder}/both.pem`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

type Answer = { status: number | undefined; body: string; headers: IncomingMessage['headers'] };

async function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  const send = url.startsWith('https:') ? requestSecure : requestPlain;
  const sent = send(url, {
    ca: testAuthority,
    localAddress: clientAddress,
    family: 4,
    ...options,
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response), headers: response.headers };
}

beforeAll(() => {
  const { cert, key } = certificates.trusted;
  const files = { 'cert.pem': cert, 'key.pem': key, 'both.pem': cert + key };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

describe.each(Object.entries(proxies))('%s, configured as its chapter shows', (name, proxy) => {
  const [command] = proxy.command('');
  const isInstalled = spawnSync(command, [name === 'caddy' ? 'version' : '-v']).error === undefined;
  let ports: Ports;
  let service: ServiceProcess;

  afterAll(() => service?.kill());

  test.skipIf(!isInstalled)(
    'passes calls on over https with their client’s address, and refuses them over http',
    async () => {
      const https = await freePort();
      service = await startService({
        PUBLIC_URL: `https://localhost:${https}`,
        TRUSTED_PROXIES: '127.0.0.1/32',
        DATA_DIR: join(folder, name),
        INIT_ADMIN_EMAIL: 'ida@example.com',
        INIT_ADMIN_PASSWORD: newToken(),
        INIT_API_KEY: token,
        LOG_LEVEL: 'info',
      });
      ports = { https, http: await freePort(), service: Number(new URL(service.origin).port) };
      const [, shown = ''] = new RegExp(`\`\`\`${name}\n(.*?)\`\`\``, 's').exec(chapter) ?? [];
      const file = join(folder, `${name}.conf`);
      writeFileSync(file, proxy.configure(adapt(shown, ports)));
      const running = run(proxy.command(file));
      const origin = `https://localhost:${https}`;
      const authorization = `Bearer ${token}`;
      await expect
        .poll(() =>
          ask(`${origin}/healthz`).then(
            ({ status }) => status,
            () => running.output(),
          ),
        )
        .toBe(200);

      const called = await ask(`${origin}/api/v1/api-key`, {
        headers: { authorization, 'X-Forwarded-For': '198.51.100.7', 'X-Request-Id': `by-${name}` },
      });
      expect([called.status, called.headers['x-request-id']]).toEqual([200, `by-${name}`]);
      expect(called.headers['strict-transport-security']).toContain('max-age=');
      const logged = () =>
        service
          .output()
          .split('\n')
          .find((line) => line.includes(`by-${name}`));
      await expect.poll(logged).toContain(`"ip":"${clientAddress}"`);

      const plain = `http://localhost:${ports.http}`;
      expect((await ask(`${plain}/api/v1/api-key`, { headers: { authorization } })).status).toBe(
        403,
      );
      const page = await ask(`${plain}/sign-in?next=%2Fa`);
      expect(page.status).toBe(301);
      expect(page.headers.location).toMatch(/^https:\/\/localhost.*\/sign-in\?next=%2Fa$/);
    },
  );
});

/** Runs a proxy until the test has ended. */
function run([command, ...args]: [string, ...string[]]): { output: () => string } {
  const printed: string[] = [];
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  }
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  return { output: () => printed.join('') };
}
