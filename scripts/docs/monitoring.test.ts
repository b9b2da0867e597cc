import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMetrics } from '#service/metrics.ts';
import type { Metrics } from '#service/metrics.ts';
import { temporaryFolder } from '#service/testing/temporary-folder.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** Metrics of a process with all roles, in which everything happened once. */
function usedMetrics(): Metrics {
  const metrics = createMetrics();
  metrics.observeRequest({ surface: 'api', status: 200, seconds: 0.01 });
  metrics.callsOf('listWebhooks')(200, 0.01);
  metrics.countRefusal('call');
  metrics.countAttempt('retry', '5xx');
  metrics.countRepaired(1);
  metrics.read({
    backlog: () => Promise.reject(new Error('the database is away')),
    connections: () => ({ calls: { open: 2, idle: 1, waiting: 0 } }),
    attemptsInFlight: () => 1,
    tokenLookUps: () => ({ cached: 1, read: 1 }),
  });
  return metrics;
}

const text = await usedMetrics().text();
const names = Array.from(text.matchAll(/^# TYPE (\S+) /gm), ([, name = '']) => name);
const own = names.filter((name) => !/^(process|nodejs)_/.test(name));

test('the documentation lists each metric of the product, and no other', () => {
  const table = read('docs/operations/running.md').split('| Metric |')[1]?.split('\n\n')[0] ?? '';
  const rows = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const listed = rows.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name]) => name));
  expect(new Set(listed)).toEqual(new Set(own));
});

test('while the database is away, numbers from it are missing and all others are there', () => {
  expect(text).toMatch(/^webhooks_due NaN$/im);
  expect(text).toContain('webhook_attempts_in_flight 1');
});

test.each(['deploy/prometheus/alerts.yaml', 'deploy/grafana/dashboard.json'])(
  '%s uses only metrics that exist, and of each the labels that it has',
  (file) => {
    const used = Array.from(read(file).matchAll(/\b([a-z]\w+)\{job=/g), ([, name = '']) => name);
    const measured = used.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect(measured.length).toBeGreaterThan(10);
    expect(measured.filter((name) => name !== 'up' && !names.includes(name))).toEqual([]);
  },
);

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

test.skipIf(!hasPromtool)('each alert fires on its condition, and no alert without one', () => {
  const cwd = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));
  const checked = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd,
    encoding: 'utf8',
  });
  expect(`${checked.stdout}${checked.stderr}`).toContain('SUCCESS');
  const alerts = (name: string, pattern: RegExp) =>
    Array.from(read(`deploy/prometheus/${name}`).matchAll(pattern), ([, alert]) => alert);
  expect(alerts('alerts.test.yaml', /- name: (\w+)/g)).toEqual(
    alerts('alerts.yaml', /- alert: (\w+)/g),
  );
});

test.skipIf(!hasPromtool)('Prometheus can read the metrics', () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  // It also asks for other names of metrics that Node.js libraries define.
  const complaints = `${checked.stdout}${checked.stderr}`.split('\n').filter((line) => line !== '');
  expect(complaints.filter((line) => !/^(process|nodejs)_/.test(line))).toEqual([]);
});

test.skipIf(!hasPromtool)(
  'Prometheus accepts the configuration that the documentation shows',
  () => {
    const cwd = temporaryFolder();
    const [, shown = ''] = /```yaml\n([^]*?)```/.exec(read('docs/operations/running.md')) ?? [];
    writeFileSync(join(cwd, 'prometheus.yaml'), shown);
    writeFileSync(join(cwd, 'metrics-token'), 'x');
    writeFileSync(join(cwd, 'alerts.yaml'), read('deploy/prometheus/alerts.yaml'));
    const args = ['check', 'config', 'prometheus.yaml'];
    const checked = spawnSync('promtool', args, { cwd, encoding: 'utf8' });
    expect(checked.stdout + checked.stderr).toContain('SUCCESS: prometheus.yaml is valid');
  },
);
