import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../../metrics.ts';
import { version } from '../../version.ts';
import { useListener, listenerConfig } from '../../testing/http/test-listener.ts';

const listener = useListener();
afterEach(() => void vi.useRealTimers());

describe('health', () => {
  test('is up while the process runs, and names its version', async () => {
    listener.ping = () => Promise.reject(new Error('down'));
    const { status, text } = await listener.ask('/healthz');
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'ok', version }]);
  });

  test('is ready while the database responds and the process is not stopping', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect((await listener.ask('/readyz')).status).toBe(200);
    listener.ping = () => Promise.reject(new Error('secret detail'));
    vi.advanceTimersByTime(500);
    const down = await listener.ask('/readyz');
    expect(down).toMatchObject({ status: 503, text: '{"status":"database does not respond"}' });
    listener.ping = async () => undefined;
    listener.isDraining = true;
    expect(await listener.ask('/readyz')).toMatchObject({
      status: 503,
      text: '{"status":"stopping"}',
    });
  });

  test('is not ready while the database accepts no writes, which is probed from time to time', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let asked = 0;
    let fails = true;
    listener.probeWrite = async () => {
      asked += 1;
      if (fails) throw new Error('secret detail');
    };
    const askTwice = async () => [
      (await listener.ask('/readyz')).status,
      (await listener.ask('/readyz')).text,
    ];
    expect(await askTwice()).toEqual([503, '{"status":"database does not accept writes"}']);
    fails = false;
    vi.advanceTimersByTime(999);
    expect(await askTwice()).toEqual([503, '{"status":"database does not accept writes"}']);
    expect(asked).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await askTwice()).toEqual([200, '{"status":"ok"}']);
    fails = true;
    vi.advanceTimersByTime(4999);
    expect(await askTwice()).toEqual([200, '{"status":"ok"}']);
    expect(asked).toBe(2);
    vi.advanceTimersByTime(1);
    expect((await listener.ask('/readyz')).status).toBe(503);
    expect((await listener.ask('/healthz')).status).toBe(200);
  });

  test.each(['pings', 'writes'])(
    'is asked of a database that hangs once, however many want to know: %s',
    async (what) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const asked = vi.fn(() => new Promise<void>(() => undefined));
      if (what === 'pings') listener.ping = asked;
      else listener.probeWrite = asked;
      for (const count of [200, 1]) {
        const responses = Array.from({ length: count }, () => listener.ask('/readyz'));
        await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(count), 20_000);
        await vi.runAllTimersAsync();
        for (const { status } of await Promise.all(responses)) expect(status).toBe(503);
      }
      expect(asked).toHaveBeenCalledTimes(1);
    },
  );

  test('accepts GET and HEAD only', async () => {
    expect((await listener.ask('/healthz', { method: 'POST' })).status).toBe(405);
    expect((await listener.ask('/healthz', { method: 'HEAD' })).text).toBe('');
  });

  test('shows metrics to this machine', async () => {
    await listener.ask('/');
    const response = await listener.ask('/metrics');
    expect(response.status).toBe(200);
    expect(response.text).toContain('process_cpu_user_seconds_total');
    expect(response.text).toMatch(
      /http_request_duration_seconds_count\{surface="pages",status="2xx"\} \d+/,
    );
  });

  test('counts a request whose client hung up before the response as an error, not as a success', async () => {
    const own = createMetrics();
    const { promise: hasArrived, resolve } = Promise.withResolvers<void>();
    await listener.reopen({
      metrics: own,
      api: () => {
        resolve();
        return new Promise(() => undefined);
      },
    });
    const socket = connect(listener.port, '127.0.0.1');
    socket.write('GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await hasArrived;
    socket.destroy();
    const count = 'http_request_duration_seconds_count{surface="api",status=';
    await expect.poll(() => own.text()).toContain(count);
    expect(await own.text()).toContain(`${count}"4xx"} 1\n`);
  });

  test.each([
    ['a proxy on this machine', { 'X-Forwarded-For': '203.0.113.7' }],
    ['a proxy that says so otherwise', { Forwarded: 'for=203.0.113.7' }],
    ['a proxy that says nothing', { Host: 'keys.example.com' }],
  ])('hides metrics from clients of %s', async (_, headers) => {
    expect((await listener.ask('/metrics', { headers })).status).toBe(404);
  });

  test('hides metrics without a token from every client, if PUBLIC_URL says that there is a proxy', async () => {
    await listener.reopen({
      health: listener.healthOf({ publicUrl: new URL('https://keys.example.com') }),
    });
    // As nginx forwards a request by default.
    expect((await listener.ask('/metrics', { headers: { Host: '127.0.0.1:3000' } })).status).toBe(
      404,
    );
  });

  test('shows metrics to clients that have the token, if there is one', async () => {
    const metricsToken = 'a-metrics-token-of-some-length';
    const health = listener.healthOf({ publicUrl: listenerConfig.publicUrl, metricsToken });
    await listener.reopen({ health });
    expect((await listener.ask('/metrics')).status).toBe(404);
    const headers = { Authorization: `Bearer ${metricsToken}`, Host: 'keys.example.com' };
    expect((await listener.ask('/metrics', { headers })).status).toBe(200);
  });
});
