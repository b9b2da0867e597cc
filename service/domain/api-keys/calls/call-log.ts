import { aboutProblem, type CallProblem } from '#lib/contract/api-keys/call-problems.ts';
import { maxAgentLength, maxCallersPerHour } from '#lib/contract/api-keys/usage.ts';
import { hourMs, minuteMs } from '#lib/durations.ts';
import type { Clock } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import type { Logger } from '../../../log/log.ts';
import { canonicalAddress } from '../../../network/networks.ts';
import {
  maxFailedCalls,
  recordCalls,
  recordFailedCalls,
  type CallCountRow,
  type CallerRow,
  type CallsToWrite,
  type FailedCallRow,
  type TokenHourRow,
} from '../store/record-calls.ts';

const flushIntervalMs = 10_000;

/**
 * How many rows of counts wait to be written, for all keys together. Beyond half of them, they are
 * written early; beyond all of them, a call is counted only if its row waits already.
 */
export const maxPendingRows = 50_000;

/** How many failed calls of all keys wait to be written. Beyond that, calls are counted only. */
const maxPendingFailures = 10_000;

/** A statement writes the rows of further keys until it has as many as this. */
const maxRows = 1000;

/** How many addresses outside the networks of a key are told apart in an hour. */
const maxForeignAddresses = 50;

/** One call of a key, as its response was sent. */
export type KeyCall = {
  accountId: string;
  apiKeyId: number;
  tokenId: number;
  requestId: string;
  /** The name of the route; null for a path that does not exist. */
  route: string | null;
  method: string;
  status: number;
  /** Null for a call that succeeded. */
  problem: CallProblem | null;
  /** The scope that the key lacks, or the last four characters of its token that has ended. */
  detail: string;
  address: string;
  userAgent: string | null;
};

/** The calls of a key in one hour that are not written yet. */
type PendingHour = {
  hour: Date;
  tokens: Map<number, TokenHourRow>;
  counts: Map<string, CallCountRow>;
  callers: Map<string, CallerRow>;
  foreignAddresses: number;
};

/**
 * Counts every call of a key, so that people can see what a key does and why calls fail. Calls are
 * counted in memory, and written every 10 seconds and on stop. A call costs no statement. A crash
 * loses the counts of at most 10 seconds; what could not be written is written by the next flush.
 *
 * The newest 1,000 refused and failed calls of each key are also kept with their request ids.
 */
export class CallLog {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #hours = new Map<string, PendingHour>();
  readonly #failures = new Map<number, FailedCallRow[]>();
  /** How many rows wait in the two maps. */
  #rows = 0;
  #failureRows = 0;
  /** What is being written, or could not be written. */
  #unwritten: CallsToWrite[] = [];
  #dropped = 0;
  #flushing: Promise<void> = Promise.resolve();
  #isFlushingEarly = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: { db: Db; clock: Clock; log: Logger }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), flushIntervalMs);
  }

  record(call: KeyCall): void {
    const at = this.#clock.now();
    const pending = this.#pendingHour(call, at);
    if (!isTurnedAway(call)) this.#countOfToken(pending, call, at);
    this.#count(pending, call, at);
    this.#countCaller(pending, call, at);
    if (call.problem !== null) this.#keepFailure({ ...call, reason: call.problem, at });
    if (this.#rows > maxPendingRows / 2 && !this.#isFlushingEarly) void this.#flushEarly();
  }

  /** Writes what is pending, after the write in progress. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#writePending());
    await this.#flushing;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.flush();
  }

  #pendingHour({ apiKeyId }: KeyCall, at: Date): PendingHour {
    const hour = startOfHour(at);
    const name = `${apiKeyId} ${hour.getTime()}`;
    const found = this.#hours.get(name);
    if (found) return found;
    const maps = { tokens: new Map(), counts: new Map(), callers: new Map() };
    const pending: PendingHour = { hour, ...maps, foreignAddresses: 0 };
    this.#hours.set(name, pending);
    return pending;
  }

  #countOfToken({ hour, tokens }: PendingHour, { accountId, tokenId }: KeyCall, at: Date): void {
    let row = tokens.get(tokenId);
    if (!row) {
      if (!this.#takeRow()) return;
      const minutes = Array.from({ length: 60 }, () => 0);
      row = { accountId, tokenId, hour, calls: 0, firstAt: at, lastAt: at, minutes };
      tokens.set(tokenId, row);
    }
    const minute = Math.floor((at.getTime() - hour.getTime()) / minuteMs);
    row.calls += 1;
    row.lastAt = at;
    row.minutes[minute] = (row.minutes[minute] ?? 0) + 1;
  }

  #count(pending: PendingHour, call: KeyCall, at: Date): void {
    const { accountId, apiKeyId, method, address } = call;
    const route = call.route ?? '';
    const problem = call.problem ?? '';
    let detail = problem === 'network' ? address : call.detail;
    let name = `${route} ${method} ${problem} ${detail}`;
    let row = pending.counts.get(name);
    if (!row && problem === 'network') {
      if (pending.foreignAddresses < maxForeignAddresses) pending.foreignAddresses += 1;
      else {
        detail = '';
        name = `${route} ${method} ${problem} `;
        row = pending.counts.get(name);
      }
    }
    if (!row) {
      if (!this.#takeRow()) return;
      const { hour } = pending;
      const outcome = problem === '' ? 'succeeded' : aboutProblem(problem).outcome;
      const what = { route, method, problem, detail, outcome } as const;
      row = { accountId, apiKeyId, hour, ...what, calls: 0, lastAt: at, lastAddress: address };
      pending.counts.set(name, row);
    }
    row.calls += 1;
    row.lastAt = at;
    row.lastAddress = address;
  }

  #countCaller({ hour, callers }: PendingHour, call: KeyCall, at: Date): void {
    const { accountId, apiKeyId, tokenId, address, route, method: lastMethod } = call;
    const userAgent = (call.userAgent ?? '').slice(0, maxAgentLength);
    let name = `${tokenId} ${address} ${userAgent}`;
    let row = callers.get(name);
    const isOther = !row && callers.size >= maxCallersPerHour;
    if (isOther) {
      name = String(tokenId);
      row = callers.get(name);
    }
    const lastCall = { lastAt: at, lastRoute: route ?? '', lastMethod, lastStatus: call.status };
    if (!row) {
      if (!this.#takeRow()) return;
      const who = isOther
        ? { address: '', userAgent: '' }
        : { address: canonicalAddress(address) ?? address, userAgent };
      const counted = { calls: 0, turnedAway: 0, firstAt: at };
      row = { accountId, apiKeyId, hour, tokenId, ...who, ...counted, ...lastCall };
      callers.set(name, row);
    }
    row.calls += 1;
    if (isTurnedAway(call)) row.turnedAway += 1;
    Object.assign(row, lastCall);
  }

  #keepFailure(call: FailedCallRow): void {
    const kept = this.#failures.get(call.apiKeyId) ?? [];
    if (kept.length >= maxFailedCalls) kept.shift();
    else if (this.#failureRows >= maxPendingFailures) return;
    else this.#failureRows += 1;
    kept.push(call);
    this.#failures.set(call.apiKeyId, kept);
  }

  /** Whether there is room for one more row of counts. */
  #takeRow(): boolean {
    const waiting = this.#unwritten.reduce((sum, calls) => sum + rowsOf(calls), this.#rows);
    if (waiting >= maxPendingRows) this.#dropped += 1;
    else this.#rows += 1;
    return waiting < maxPendingRows;
  }

  async #flushEarly(): Promise<void> {
    this.#isFlushingEarly = true;
    await this.flush();
    this.#isFlushingEarly = false;
  }

  async #writePending(): Promise<void> {
    this.#unwritten.push(...inGroups([...this.#hours.values()]));
    const failures = [...this.#failures.values()];
    this.#hours.clear();
    this.#failures.clear();
    this.#rows = 0;
    this.#failureRows = 0;
    if (this.#dropped > 0) this.#log.error({ rows: this.#dropped }, 'calls of keys not counted');
    this.#dropped = 0;
    try {
      for (let [calls] = this.#unwritten; calls; [calls] = this.#unwritten) {
        await recordCalls(this.#db, calls);
        this.#unwritten.shift();
      }
      for (const calls of failures) await recordFailedCalls(this.#db, calls);
    } catch (error) {
      this.#log.error({ err: error }, 'calls of keys not written yet');
    }
  }
}

export function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hourMs) * hourMs);
}

/** Whether the key accepts no call with this token or from this address. */
function isTurnedAway({ problem }: KeyCall): boolean {
  return problem === 'token_ended' || problem === 'network';
}

/** Rows for one statement each: of as many keys as have at most `maxRows` rows together. */
function inGroups(hours: readonly PendingHour[]): CallsToWrite[] {
  const groups: CallsToWrite[] = [];
  for (const { tokens, counts, callers } of hours) {
    let group = groups.at(-1);
    if (!group || rowsOf(group) >= maxRows) {
      group = { tokens: [], counts: [], callers: [] };
      groups.push(group);
    }
    group.tokens.push(...tokens.values());
    group.counts.push(...counts.values());
    group.callers.push(...callers.values());
  }
  return groups;
}

function rowsOf({ tokens, counts, callers }: CallsToWrite): number {
  return tokens.length + counts.length + callers.length;
}
