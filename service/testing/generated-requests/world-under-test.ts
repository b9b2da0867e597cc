import { hourMs } from '#lib/durations.ts';
import { vacuumHotTables } from '../../db/embedded/maintain.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { TestApi, dataOf } from '../api.ts';
import type { ApiResponse } from '../api.ts';
import { createTestContext } from '../context.ts';
import { fillAccount } from './filled-account.ts';
import type { GeneratedRequest } from './generated-requests.ts';
import { kindOfResource, rememberNames } from './known-names.ts';
import type { LogEntry } from '../logger.ts';
import { addMemberUnderTest } from './member-under-test.ts';
import { openTestListener } from '../http/socket.ts';
import type { WireRequest } from '../http/socket.ts';

/**
 * The result of a request, and the CPU time of this thread that it took, including the client's.
 */
type Measured<Result> = { result: Result; cpuMs: number };

/** A service behind its listener that contains something of every kind, for generated requests. */
export type WorldUnderTest = {
  /**
   * Continues in a new account, so that no account fills up and everything that requests used up
   * exists again.
   */
  enterNewAccount(): Promise<void>;
  /** Valid bodies for operations that must name existing things. */
  rightBodies(): ReadonlyMap<string, unknown>;
  /** The token of a key with every scope. */
  token(): string;
  /** Sends a request on a connection that is kept alive. */
  ask(request: GeneratedRequest): Promise<Measured<ApiResponse>>;
  /** Sends raw bytes on a new connection, ends its half of it, and reads to the end. */
  write(bytes: string): Promise<Measured<string>>;
  /** Deletes logs and emails, which are the test's own memory; returns the logged errors. */
  forgetRecords(): LogEntry[];
  close(): Promise<void>;
};

/** By the service's clock: long enough that limits per minute refuse few requests. */
const betweenRequestsMs = 1000;

/**
 * Between two accounts, because the links with which an account is filled count towards hourly
 * limits.
 */
const betweenAccountsMs = hourMs;

export async function openWorldUnderTest(engine: OpenDatabase['engine']): Promise<WorldUnderTest> {
  const ctx = await createTestContext({
    engine,
    config: {
      rateLimitPerMinute: 1_000_000,
      accountRateLimitPerMinute: 1_000_000,
      creationsPerHour: 1_000_000,
      failedAuthPerMinute: 1_000_000,
    },
  });
  const api = new TestApi(ctx);
  const listener = await openTestListener(ctx, api);
  const member = await addMemberUnderTest(ctx);
  let account = await fillAccount(ctx, api, member);

  function wireOf(request: GeneratedRequest): WireRequest {
    const { method, query, headers, caller } = request;
    const path = request.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
      nameFor(request, parameter),
    );
    const token = account.tokens[caller];
    return {
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(caller === 'person' && { 'X-Dashboard-Session': member.sessionToken }),
      },
      body: method === 'GET' || method === 'HEAD' ? null : request.body,
    };
  }

  function nameFor(request: GeneratedRequest, parameter: string): string {
    const { reference } = request;
    if ('text' in reference) return reference.text;
    const known = account.names.get(kindOfResource(request)) ?? [];
    return known[reference.met % known.length]?.[parameter] ?? '1';
  }

  async function learnFrom(
    { route, caller }: GeneratedRequest,
    response: ApiResponse,
  ): Promise<void> {
    const made = madeBy.get(route ?? '');
    if (made !== undefined && response.status < 300 && response.body !== null) {
      rememberNames(account.names, made, { [made]: nameOf(dataOf(response)) });
    }
    if (accountChangers.has(route ?? '') && response.status < 300) await account.restore();
    const mayHaveEnded = response.status === 401 || sessionEnders.has(route ?? '');
    if (caller === 'person' && mayHaveEnded) await member.restore();
  }

  return {
    async enterNewAccount() {
      // A running process vacuums its embedded database. Otherwise dead rows would slow down all
      // requests.
      if (engine === 'pglite') await vacuumHotTables(ctx.db);
      ctx.clock.advance(betweenAccountsMs);
      account = await fillAccount(ctx, api, member);
    },
    rightBodies: () => account.rightBodies,
    token: () => account.tokens.key,
    async ask(request) {
      ctx.clock.advance(betweenRequestsMs);
      const wire = wireOf(request);
      const measured = await measure(() => listener.ask(wire));
      await learnFrom(request, measured.result);
      return measured;
    },
    async write(bytes) {
      ctx.clock.advance(betweenRequestsMs);
      return await measure(() => listener.writeAndHangUp(bytes));
    },
    forgetRecords: () => ctx.forgetRecords(),
    async close() {
      await listener.close();
      await ctx.dispose();
    },
  };
}

/**
 * Measures the CPU time of this thread, without other processes and without passwords that other
 * threads hash.
 */
async function measure<Result>(act: () => Promise<Result>): Promise<Measured<Result>> {
  const before = process.threadCpuUsage();
  const result = await act();
  const { user, system } = process.threadCpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}

/** Replays are named only by their UUID, and conversations only by their id. */
function nameOf({ id, uuid }: { id?: unknown; uuid?: unknown }): string {
  return String(uuid ?? id);
}

/** The path parameter that names what an operation created. */
const madeBy = new Map([
  ['createWebhook', 'webhook'],
  ['createApiKey', 'apiKey'],
  ['createConversation', 'conversation'],
  ['testWebhook', 'delivery'],
  ['createReplay', 'replay'],
]);

/** After these operations hardly any other would succeed. */
const accountChangers = new Set(['updateAccount', 'deleteAccount']);

/**
 * Operations that end the session, or renew it: a renewed session has another token than the one
 * sent.
 */
const sessionEnders = new Set([
  'signOut',
  'confirmIdentity',
  'endSession',
  'endOtherSessions',
  'changePassword',
  'leaveAccount',
  'joinAccount',
]);
