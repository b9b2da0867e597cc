import { expect, test } from 'vitest';
import { sendConsoleToLog } from './console-to-log.ts';
import { TestLog } from '../testing/logger.ts';

const silent = () => undefined;

function redirected() {
  const log = new TestLog();
  const output = {
    debug: silent,
    trace: silent,
    log: silent,
    info: silent,
    warn: silent,
    error: silent,
  };
  sendConsoleToLog(output, log.logger);
  return { log, output: output as Record<keyof typeof output, (...args: unknown[]) => void> };
}

test.each([
  ['trace', 20],
  ['debug', 20],
  ['log', 30],
  ['info', 30],
  ['warn', 40],
  ['error', 50],
] as const)('what is written with console.%s is one entry of level %i', (method, level) => {
  const { log, output } = redirected();
  output[method]('%s of %d', 'one', 2, { three: 3 });
  expect(log.entries).toMatchObject([{ level, msg: 'one of 2 { three: 3 }', source: 'console' }]);
});

test('an error is logged with its stack and digest, without colors and signs', () => {
  const { log, output } = redirected();
  const error = Object.assign(new Error('inside'), { digest: '3141' });
  output.error('\u001b[31m\u001b[1m⨯\u001b[22m\u001b[39m', error);
  output.error('\u001b[31m\u001b[1m⨯\u001b[22m\u001b[39m it failed', error);
  output.warn('\u001b[33m⚠\u001b[39m beware\nof this');
  const err = {
    message: 'inside',
    digest: '3141',
    stack: expect.stringContaining('Error: inside'),
  };
  expect(log.entries).toMatchObject([
    { msg: 'inside', err },
    { msg: 'it failed', err },
    { msg: 'beware\nof this' },
  ]);
});

test('an error that says that the log explains it already is left out', () => {
  const { log, output } = redirected();
  output.error('⨯', Object.assign(new Error('not reached'), { isLogged: true }));
  output.error('⨯', Object.assign(new Error('another'), { isLogged: false }));
  expect(log.entries).toMatchObject([{ msg: 'another' }]);
});

test('a token that a library writes is redacted, and a long line is cut', () => {
  const { log, output } = redirected();
  output.log(`key sk_live_${'a'.repeat(38)}`);
  output.log('x'.repeat(100_000));
  expect(log.entries[0]?.msg).toBe('key sk_live_[redacted]');
  expect(log.entries[1]?.msg).toHaveLength(8192);
});
