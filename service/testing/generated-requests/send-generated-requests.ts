import fc from 'fast-check';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { generatedRequests, rightRequests } from './generated-requests.ts';
import type { GeneratedRequest } from './generated-requests.ts';
import { malformedMessages, tokenPlace } from '../http/malformed-http.ts';
import { findProblem, findProblemInBytes } from '../http/undocumented-response.ts';
import { collectGarbage, usedMemoryBytes } from '../processes/used-memory.ts';
import { openWorldUnderTest } from './world-under-test.ts';
import type { WorldUnderTest } from './world-under-test.ts';

/** How many requests a run sends. The same seed generates the same requests. */
export const requestCount = 400;
export const seed = Number(process.env['TEST_SEED'] ?? 20_261_120);
/**
 * More than this is slow. Leaving an account takes longest: it ends several things, each with an
 * audit entry.
 */
export const maxCpuMs = 100;

const batchSize = 200;
const malformedPerBatch = 25;
const maxRepeats = 5;
const routes = [...publicRoutes, ...dashboardRoutes];

export type RobustnessReport = {
  /** Requests whose response differs from the documentation, or that got none. */
  undocumented: string[];
  /** Requests that took too much CPU time each time they were sent. */
  slow: string[];
  /**
   * The CPU time of the most expensive request, and how many requests were fast only when repeated.
   */
  peakCpuMs: number;
  quickWhenRepeated: number;
  /** Memory in use after the first batch, which warms everything up, and after all requests. */
  memoryBytes: { before: number; after: number };
  statuses: ReadonlySet<number>;
  /** Operations that never succeeded. */
  neverDone: ReadonlySet<string>;
};

/**
 * Sends generated requests over TCP to a service, one after the other: valid ones for every
 * operation, ones that are invalid in some place, and bytes that are hardly HTTP.
 */
export async function sendGeneratedRequests(
  engine: OpenDatabase['engine'],
): Promise<RobustnessReport> {
  const world = await openWorldUnderTest(engine);
  const run = new Run(world);
  let before = 0;
  for (let sent = 0; sent < requestCount; sent += batchSize) {
    if (sent > 0) await world.enterNewAccount();
    await run.sendBatch(seed + sent);
    if (sent === 0) before = usedBytes(engine);
  }
  const memoryBytes = { before, after: usedBytes(engine) };
  await world.close();
  return { ...run.report, memoryBytes };
}

/**
 * Without the buffers in which the embedded database keeps its rows, because those grow as
 * intended.
 */
function usedBytes(engine: OpenDatabase['engine']): number {
  const { heap, buffers } = usedMemoryBytes();
  return engine === 'pglite' ? heap : heap + buffers;
}

/** Something that can be sent repeatedly. `again` is 0 for the first time. */
type Sendable = {
  describe(): string;
  send(again: number): Promise<{ problem: string | null; cpuMs: number }>;
};

class Run {
  readonly report = {
    undocumented: [] as string[],
    slow: [] as string[],
    peakCpuMs: 0,
    quickWhenRepeated: 0,
    statuses: new Set<number>(),
    neverDone: new Set(routes.map(({ name }) => name)),
  };
  readonly #world: WorldUnderTest;

  constructor(world: WorldUnderTest) {
    this.#world = world;
  }

  async sendBatch(batchSeed: number): Promise<void> {
    const bodies = this.#world.rightBodies();
    const right = rightRequests(routes, bodies);
    const generated = fc.sample(generatedRequests(routes, bodies), {
      numRuns: batchSize - malformedPerBatch - right.length - 1,
      seed: batchSeed,
    });
    const malformed = fc.sample(malformedMessages, { numRuns: malformedPerBatch, seed: batchSeed });
    const overlong = right.slice(0, 1).map((request) => ({
      ...request,
      headers: { ...request.headers, 'X-Overlong': 'x'.repeat(20_000) },
    }));
    for (const request of [...right, ...overlong, ...generated])
      await this.#send(this.#requestToSend(request));
    for (const messages of malformed) await this.#send(this.#bytesToSend(messages.join('')));
    const logged = this.#world.forgetRecords().map((entry) => JSON.stringify(entry).slice(0, 2000));
    this.report.undocumented.push(...logged);
  }

  async #send(sendable: Sendable): Promise<void> {
    try {
      const { problem, cpuMs } = await sendable.send(0);
      if (problem !== null) throw new Error(problem);
      await this.#assertCpu(sendable, cpuMs);
    } catch (error) {
      this.report.undocumented.push(`${String(error)}: ${sendable.describe()}`);
    }
  }

  /**
   * Garbage of earlier requests, code that runs for the first time, and other programs on the same
   * processor may cost any request 50 ms. So it is sent again, after garbage collection, for
   * another resource of the same kind. It is slow if it takes as long each time.
   */
  async #assertCpu(sendable: Sendable, firstMs: number): Promise<void> {
    let minMs = firstMs;
    for (let again = 1; again <= maxRepeats && minMs >= maxCpuMs; again += 1) {
      collectGarbage();
      minMs = Math.min(minMs, (await sendable.send(again)).cpuMs);
    }
    if (minMs >= maxCpuMs) this.report.slow.push(`${minMs} ms: ${sendable.describe()}`);
    else if (firstMs >= maxCpuMs) this.report.quickWhenRepeated += 1;
    this.report.peakCpuMs = Math.max(this.report.peakCpuMs, minMs);
  }

  #requestToSend(request: GeneratedRequest): Sendable {
    return {
      describe: () => shorten(request),
      send: async (again) => {
        const { reference } = request;
        const another = 'met' in reference ? { met: reference.met + again } : reference;
        const asked = { ...request, reference: another };
        const { result: response, cpuMs } = await this.#world.ask(asked);
        this.report.statuses.add(response.status);
        const route = routes.find(({ name }) => name === request.route);
        const isDone = route?.method === request.method && response.status < 300;
        if (isDone) this.report.neverDone.delete(route.name);
        return { problem: findProblem(request.method, response), cpuMs };
      },
    };
  }

  #bytesToSend(text: string): Sendable {
    return {
      describe: () => JSON.stringify(text.slice(0, 600)),
      send: async () => {
        const bytes = text.replaceAll(tokenPlace, this.#world.token());
        const { result: received, cpuMs } = await this.#world.write(bytes);
        return { problem: findProblemInBytes(received), cpuMs };
      },
    };
  }
}

function shorten({ body, ...request }: GeneratedRequest): string {
  const start = typeof body === 'string' ? body : Buffer.from(body).toString('latin1', 0, 200);
  const head = JSON.stringify(request);
  return `${head.slice(0, 400)} with ${body.length} units of body: ${start.slice(0, 200)}`;
}
