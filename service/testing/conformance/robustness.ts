import { beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import {
  maxCpuMs,
  requestCount,
  seed,
  sendGeneratedRequests,
} from '../generated-requests/send-generated-requests.ts';
import type { RobustnessReport } from '../generated-requests/send-generated-requests.ts';

const mebibyte = 1_048_576;
/** Caches that fill, and what V8 learns about the code, take about 3 MB. */
const maxGrowthMebibytes = 4;

/** The guarantees for any request that a client may send, on either database. */
export function describeRobustness(engine: OpenDatabase['engine']): void {
  let report: RobustnessReport;
  beforeAll(async () => {
    report = await sendGeneratedRequests(engine);
  }, 1_800_000);

  test(`${requestCount} with seed ${seed} each get a documented response, none of them 5xx`, () => {
    expect(report.undocumented).toEqual([]);
  });

  test(`take less than ${maxCpuMs} ms of CPU time each`, async ({ annotate }) => {
    await annotate(`${report.peakCpuMs} ms at max; ${report.quickWhenRepeated} were sent again`);
    expect(report.slow).toEqual([]);
  });

  test(`leave less than ${maxGrowthMebibytes} MiB in memory`, async ({ annotate }) => {
    const { before, after } = report.memoryBytes;
    await annotate(`${before} bytes before, ${after} bytes after`);
    expect(after - before).toBeLessThan(maxGrowthMebibytes * mebibyte);
  });

  test('cover every operation and every status', () => {
    // The set-up is over once there is a person, a member needs no reason to open an account, the
    // code of an app needs the key from an earlier response, a failed call is found by its id alone,
    // and a key that rotates itself would replace the token of the caller.
    const neverDone = [
      'checkSetUpToken',
      'setUp',
      'openSupportVisit',
      'confirmApp',
      'findFailedCalls',
      'rotateCallingApiKey',
    ];
    expect(report.neverDone).toEqual(new Set(neverDone));
    const statuses = [200, 201, 202, 204, 401, 403, 404, 405, 413, 415, 422, 431];
    expect(statuses.filter((status) => !report.statuses.has(status))).toEqual([]);
  });
}
