import { execFile, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  secretEnvName,
  signatureSnippet,
  snippetLanguages,
  type SnippetLanguage,
} from '#lib/contract/webhooks/signature-snippets.ts';
import { importSecret } from '../../domain/webhooks/secret/secret.ts';
import { receiving, sending } from '../../testing/delivery/sending.ts';

const run = promisify(execFile);
const key = randomBytes(32);
const env = { ...process.env, WEBHOOK_SECRET: `whsec_${key.toString('base64')}` };
const body = '{"type":"message.created","data":{"text":"Grüße, 你好 \\u0000"}}';
const input = { envName: 'WEBHOOK_SECRET', url: 'http://127.0.0.1:9' };

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snippets-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Verifier = {
  /** The snippet's file and those that call it. */
  files: (snippet: string) => Record<string, string>;
  /** What compiles it, if anything does, and what runs it. */
  build?: [command: string, ...args: string[]];
  run: [command: string, ...args: string[]];
};

/**
 * Programs that call the snippet for each line of their input: the three headers and the body, each
 * as base64, with a comma between them. `-` is a header that is missing.
 */
const verifiers: Record<Exclude<SnippetLanguage, 'openssl'>, Verifier> = {
  node: {
    files: (snippet) => ({
      'verify.mjs': snippet,
      'main.mjs': `import { isGenuine } from './verify.mjs';
import { readFileSync } from 'node:fs';
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const parts = line.split(',');
  const [id, time, signature, body] = parts.map((part) => part === '-' ? undefined : Buffer.from(part, 'base64'));
  const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
  for (const name in headers) headers[name] = headers[name]?.toString();
  console.log(isGenuine(headers, body));
}`,
    }),
    run: [process.execPath, 'main.mjs'],
  },
  python: {
    files: (snippet) => ({
      'verify.py': snippet,
      'main.py': `import base64, sys
from verify import is_genuine
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
for line in sys.stdin.read().split("\\n"):
    *parts, body = line.split(",")
    headers = {n: base64.b64decode(p).decode() for n, p in zip(names, parts) if p != "-"}
    print(str(is_genuine(headers, base64.b64decode(body))).lower())`,
    }),
    run: ['python3', 'main.py'],
  },
  go: {
    files: (snippet) => ({
      'go.mod': 'module example.com/receiver\n\ngo 1.18\n',
      'webhooks/webhooks.go': snippet,
      'main.go': `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"

	"example.com/receiver/webhooks"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), ",")
		header := http.Header{}
		for i, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			if parts[i] != "-" {
				value, _ := base64.StdEncoding.DecodeString(parts[i])
				header.Set(name, string(value))
			}
		}
		body, _ := base64.StdEncoding.DecodeString(parts[3])
		fmt.Println(webhooks.IsGenuine(header, body))
	}
}`,
    }),
    build: ['go', 'build', '-o', 'receiver', '.'],
    run: ['./receiver'],
  },
  php: {
    files: (snippet) => ({
      'verify.php': snippet,
      'main.php': `<?php
require 'verify.php';
$names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
foreach (explode("\\n", stream_get_contents(STDIN)) as $line) {
    $parts = explode(',', $line);
    $body = base64_decode(array_pop($parts));
    $headers = array_map('base64_decode', array_filter(array_combine($names, $parts), fn($p) => $p !== '-'));
    echo isGenuine($headers, $body) ? "true\\n" : "false\\n";
}`,
    }),
    run: ['php', 'main.php'],
  },
  ruby: {
    files: (snippet) => ({
      'verify.rb': snippet,
      'main.rb': `require_relative 'verify'
NAMES = %w[webhook-id webhook-timestamp webhook-signature]
STDIN.read.split("\\n").each do |line|
  *parts, body = line.split(',', -1)
  headers = NAMES.zip(parts).reject { |_, part| part == '-' }.to_h { |n, part| [n, part.unpack1('m')] }
  puts genuine?(headers, body.unpack1('m'))
end`,
    }),
    run: ['ruby', 'main.rb'],
  },
  java: {
    files: (snippet) => ({
      'Webhooks.java': snippet,
      'Main.java': `import java.nio.charset.StandardCharsets;
import java.util.*;

public class Main {
  public static void main(String[] args) throws Exception {
    Base64.Decoder decoder = Base64.getDecoder();
    List<String> names = List.of("webhook-id", "webhook-timestamp", "webhook-signature");
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] parts = lines.nextLine().split(",", -1);
      System.out.println(Webhooks.isGenuine(name -> {
        String part = parts[names.indexOf(name)];
        return part.equals("-") ? null : new String(decoder.decode(part), StandardCharsets.UTF_8);
      }, decoder.decode(parts[3])));
    }
  }
}`,
    }),
    build: ['javac', 'Main.java', 'Webhooks.java'],
    run: ['java', 'Main'],
  },
  csharp: {
    files: (snippet) => ({
      'Webhooks.cs': snippet,
      'Program.cs': `using System;
using System.Text;

public static class Program
{
    public static void Main()
    {
        var names = new[] { "webhook-id", "webhook-timestamp", "webhook-signature" };
        for (string line; (line = Console.ReadLine()) != null;)
        {
            var parts = line.Split(',');
            Func<string, string> header = name =>
            {
                var part = parts[Array.IndexOf(names, name)];
                return part == "-" ? null : Encoding.UTF8.GetString(Convert.FromBase64String(part));
            };
            bool isGenuine = Webhooks.IsGenuine(header, Convert.FromBase64String(parts[3]));
            Console.WriteLine(isGenuine ? "true" : "false");
        }
    }
}`,
    }),
    build: ['mcs', '-out:program.exe', 'Program.cs', 'Webhooks.cs'],
    run: ['mono', 'program.exe'],
  },
};

const languages = Object.keys(verifiers) as (keyof typeof verifiers)[];

/** Compiles the snippet with a program that calls it. False if this machine cannot. */
async function build(language: keyof typeof verifiers): Promise<boolean> {
  const { files, build: [command, ...args] = [], run: runs } = verifiers[language];
  const needed = [command ?? runs[0], runs[0]].filter((name) => !name.startsWith('./'));
  if (needed.some((name) => spawnSync(name, ['--version']).error !== undefined)) return false;
  for (const [name, text] of Object.entries(files(signatureSnippet(language, input)))) {
    const file = join(folder, language, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (command !== undefined)
    await run(command, args, { cwd: join(folder, language), env: toolEnv });
  return true;
}

/** Go keeps what it compiled in this folder, which in /tmp could belong to another user. */
const goCache = fileURLToPath(new URL('../../../node_modules/.cache/snippets-go', import.meta.url));
const toolEnv = { ...env, GOCACHE: goCache, GOFLAGS: '-mod=mod' };

type Case = { headers: Partial<Record<string, string>>; body: string };

/** What the code in this language says about each case. */
function verify(language: keyof typeof verifiers, cases: readonly Case[], secretEnv = env) {
  const [command, ...args] = verifiers[language].run;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const lines = cases.map((one) =>
    [...names.map((name) => one.headers[name]), one.body]
      .map((value) => (value === undefined ? '-' : Buffer.from(value).toString('base64')))
      .join(','),
  );
  const cwd = join(folder, language);
  const { stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: secretEnv,
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  return { verdicts: stdout.trim().split('\n'), stderr };
}

describe.each(languages)('the %s snippet', (language) => {
  let isBuilt = false;
  beforeAll(async () => {
    isBuilt = await build(language);
  }, 120_000);

  test('accepts what is signed and refuses what is not', async (context) => {
    if (!isBuilt) return context.skip(`${snippetLanguages[language]} is not installed`);
    const now = Math.floor(Date.now() / 1000);
    const good = sign(`msg_1.${now}.${body}`, key);
    const delivered = await deliver();
    const cases: [verdict: boolean, what: string, headers: Record<string, string>, body: string][] =
      [
        [true, 'really sent', delivered.headers, delivered.body],
        [false, 'sent, and changed by a proxy', delivered.headers, `${delivered.body}\n`],
        [true, 'genuine', headers('msg_1', now, good), body],
        [true, 'second of two', headers('msg_1', now, `v1,${btoa('x'.repeat(32))} ${good}`), body],
        [true, 'beside another version', headers('msg_1', now, `v1a,abc ${good}`), body],
        [false, 'another body', headers('msg_1', now, good), `${body} `],
        [false, 'another id', headers('msg_2', now, good), body],
        [
          false,
          'another key',
          headers('msg_1', now, sign(`msg_1.${now}.${body}`, randomBytes(32))),
          body,
        ],
        [
          false,
          'too old',
          headers('msg_1', now - 400, sign(`msg_1.${now - 400}.${body}`, key)),
          body,
        ],
        [
          false,
          'too new',
          headers('msg_1', now + 400, sign(`msg_1.${now + 400}.${body}`, key)),
          body,
        ],
        ...['soon', '²', '٣', '-1', '1e3', ' ', '', '9'.repeat(5000), 'Infinity', '\ud800'].map(
          (odd): (typeof cases)[number] => [
            false,
            `the timestamp ${odd.slice(0, 9)}`,
            headers('msg_1', odd, sign(`msg_1.${odd}.${body}`, key)),
            body,
          ],
        ),
        [false, 'a signature of half a character', headers('msg_1', now, 'v1,\ud800'), body],
        [false, 'cut short', headers('msg_1', now, good.slice(0, 20)), body],
        [false, 'no signature', {}, body],
      ];
    const { verdicts, stderr } = verify(
      language,
      cases.map(([, , sent, text]) => ({ headers: sent, body: text })),
    );
    expect(stderr).toBe('');
    expect(Object.fromEntries(cases.map(([, what], index) => [what, verdicts[index]]))).toEqual(
      Object.fromEntries(cases.map(([verdict, what]) => [what, String(verdict)])),
    );
  });

  test('refuses to start without a secret', (context) => {
    if (!isBuilt) return context.skip(`${snippetLanguages[language]} is not installed`);
    const now = Math.floor(Date.now() / 1000);
    const any = { headers: headers('msg_1', now, 'v1,x'), body };
    for (const secret of ['', 'whsec_']) {
      const { verdicts, stderr } = verify(language, [any], { ...env, WEBHOOK_SECRET: secret });
      expect(verdicts).not.toContain('true');
      expect(`${verdicts.join('')}${stderr}`).toContain('Set WEBHOOK_SECRET.');
    }
  });

  test('is in docs/guides/webhook-receivers.md as the dashboard shows it', async () => {
    const snippet = signatureSnippet(language, { envName: secretEnvName, url: '' });
    const path = new URL('../../../docs/guides/webhook-receivers.md', import.meta.url);
    expect(await readFile(path, 'utf8')).toContain(`\n${snippet}\n`);
  });
});

test('the node snippet takes a Headers object, and is not confused by a header that is called “get”', async () => {
  const now = Math.floor(Date.now() / 1000);
  const sent = headers('msg_1', now, sign(`msg_1.${now}.${body}`, key));
  const call = `import { isGenuine } from './verify.mjs';
const [headers, body] = JSON.parse(process.argv[1]);
const given = [new Headers(headers), { ...headers, get: 'x' }, new Headers(), { get: 'x' }];
console.log(JSON.stringify(given.map((each) => isGenuine(each, body))));`;
  const args = ['--input-type=module', '-e', call, JSON.stringify([sent, body])];
  await build('node');
  const { stdout } = await run(process.execPath, args, { env, cwd: join(folder, 'node') });
  expect(JSON.parse(stdout)).toEqual([true, true, false, false]);
});

const hasShell = ['openssl', 'curl'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
);

test.skipIf(!hasShell)('the openssl snippet sends what the service would', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: text });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const script = signatureSnippet('openssl', { ...input, url: `http://127.0.0.1:${port}/in` });
  await run('sh', ['-c', script], { env: { ...env, no_proxy: '*' } });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));

  const sent = received[0];
  const id = String(sent?.headers['webhook-id']);
  const timestamp = String(sent?.headers['webhook-timestamp']);
  expect(received).toHaveLength(1);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({ type: 'webhook.test' });
  expect(sent?.headers['webhook-signature']).toBe(
    sign(`${id}.${timestamp}.${sent?.body ?? ''}`, key),
  );
});

/** A delivery that the service really signs and sends, as a server gets it. */
async function deliver() {
  const [receiver, sender] = [await receiving(), sending()];
  sender.clock.advance(Date.now() - sender.clock.now().getTime());
  const secrets = [importSecret(env.WEBHOOK_SECRET)];
  await sender.send(receiver.origin, { messageId: 'msg_1', body, secrets });
  const [request] = receiver.requests;
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return {
    headers: Object.fromEntries(names.map((name) => [name, String(request?.headers[name])])),
    body: request?.body ?? '',
  };
}

function sign(signed: string, secretKey: Buffer): string {
  return `v1,${createHmac('sha256', secretKey).update(signed).digest('base64')}`;
}

function headers(id: string, timestamp: number | string, signature: string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
}
