import { describe, expect, test } from 'vitest';
import { Sockets } from './sockets.ts';
import type { SocketRequest } from './sockets.ts';

type Lane = SocketRequest & { inFlight: number };

const limits = { sockets: 400, socketsPerOrigin: 100 };

function lane(accountId: string, values: Partial<Lane> = {}): Lane {
  return { accountId, origin: 'https://a.example', inFlight: 0, speed: 'fast', ...values };
}

/** Lanes that each have their own origin. */
function lanesApart(accountId: string, count: number, values: Partial<Lane> = {}): Lane[] {
  return Array.from({ length: count }, (_, number) =>
    lane(accountId, { origin: `https://${accountId}-${number}.example`, ...values }),
  );
}

function lanesTogether(accountId: string, count: number, values: Partial<Lane> = {}): Lane[] {
  return Array.from({ length: count }, () => lane(accountId, values));
}

/**
 * Lanes take sockets in turn, up to 32 each, until none is free for them; returns how many they
 * took.
 */
function fill(sockets: Sockets, lanes: readonly Lane[]): number {
  let taken = 0;
  for (let before = -1; before < taken;) {
    before = taken;
    for (const each of lanes) {
      if (each.inFlight >= 32 || !sockets.hasFree(each)) continue;
      sockets.acquire(each);
      each.inFlight += 1;
      taken += 1;
    }
  }
  return taken;
}

describe('an account that takes all it can get', () => {
  test.each([
    ['in all', 300, lanesApart('a', 100)],
    ['of one origin', 75, lanesTogether('a', 100)],
    ['of one origin with slow lanes', 56, lanesTogether('a', 100, { speed: 'slow' })],
    ['in all with slow lanes', 225, lanesApart('a', 100, { speed: 'slow' })],
    ['in all with lanes that did not respond yet', 262, lanesApart('a', 100, { speed: 'unknown' })],
    ['with a single lane', 32, lanesTogether('a', 1)],
  ])('gets, %s, at most %i of 400 sockets, of which 100 are for one origin', (_, max, lanes) => {
    const taken = fill(new Sockets(limits), lanes);
    expect(taken).toBeGreaterThan(max - 5);
    expect(taken).toBeLessThanOrEqual(max);
  });

  test.each([
    ['apart', lanesApart('a', 100)],
    ['on its origin', lanesTogether('a', 100)],
  ])('leaves another account at least nine sockets, %s', (_where, lanes) => {
    const sockets = new Sockets(limits);
    fill(sockets, lanes);
    expect(fill(sockets, lanesTogether('b', 1))).toBeGreaterThanOrEqual(9);
  });

  test.each([
    ['slow, apart', lanesApart('a', 100, { speed: 'slow' }), 'unknown'],
    ['slow, on its origin', lanesTogether('a', 100, { speed: 'slow' }), 'unknown'],
    ['new, apart', lanesApart('a', 300, { speed: 'unknown' }), 'fast'],
    ['new, on its origin', lanesTogether('a', 300, { speed: 'unknown' }), 'fast'],
  ] as const)(
    'leaves its own better lane at least four sockets, the others being %s',
    (_which, lanes, speed) => {
      const sockets = new Sockets(limits);
      fill(sockets, lanes);
      expect(fill(sockets, [lane('a', { speed })])).toBeGreaterThanOrEqual(4);
    },
  );
});

test('a lane has at most as many sockets as it leaves to the other lanes of its account', () => {
  const sockets = new Sockets({ sockets: 40, socketsPerOrigin: 40 });
  const lanes = lanesApart('a', 5);
  fill(sockets, lanes);
  expect(lanes.map(({ inFlight }) => inFlight)).toEqual([5, 5, 5, 5, 5]);
  expect(sockets.hasFree(lane('a'))).toBe(true);
});

test('an account that took much while it was alone goes back to a quarter while another waits', () => {
  const sockets = new Sockets(limits);
  const [waiting, ...held] = lanesApart('a', 300);
  const release = held.map((each) => sockets.acquire(each));
  const others = lanesApart('b', 100);
  const mayGoOn = () => {
    sockets.beginRound();
    fill(sockets, others);
    return waiting !== undefined && sockets.hasFree(waiting);
  };
  let left = held.length;
  for (; left > 0 && !mayGoOn(); left -= 1) release[left - 1]?.();
  expect(left).toBe(limits.sockets / 4 - 1);
});

test('a socket is released for the origin and speed it was taken for, even if the lane has changed', () => {
  const sockets = new Sockets({ sockets: 4, socketsPerOrigin: 4 });
  const changing = lane('a', { speed: 'slow' });
  const release = sockets.acquire(changing);
  Object.assign(changing, { speed: 'fast', origin: 'https://other.example' });
  expect(sockets.used).toBe(1);
  release();
  expect(sockets.used).toBe(0);
  expect(fill(sockets, lanesTogether('a', 9, { speed: 'slow' }))).toBe(2);
});
