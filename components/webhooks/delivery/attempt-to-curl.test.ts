import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sampleAttempt } from '#lib/contract/samples.ts';
import { attemptToCurl } from './attempt-to-curl.ts';

/** The arguments that a shell parses from the command, one a line. */
function argumentsOf(command: string): string[] {
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`]);
  return shown.toString().split('\0').slice(0, -1);
}

const body = `{"text":"It's \\"here\\": $HOME \`id\`\\n"}`;

test('the command sends the same body and headers, also with characters that a shell interprets', () => {
  const headers = { ...sampleAttempt.request.headers, host: 'a.example', 'content-length': '9' };
  const command = attemptToCurl({
    ...sampleAttempt,
    request: { headers, body, body_bytes: body.length },
  });
  expect(argumentsOf(command ?? '')).toEqual([
    '-i',
    sampleAttempt.url,
    ...Object.entries(sampleAttempt.request.headers).flatMap(([name, value]) => [
      '-H',
      `${name}: ${value}`,
    ]),
    '--data-binary',
    body,
  ]);
});

test('there is no command if the person may not see the body or the whole URL', () => {
  const request = { ...sampleAttempt.request, body: null };
  expect(attemptToCurl({ ...sampleAttempt, request })).toBe(null);
  expect(attemptToCurl({ ...sampleAttempt, url: 'https://example.com/…' })).toBe(null);
});
