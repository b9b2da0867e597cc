import { describe, expect, test } from 'vitest';
import { Turns } from './turns.ts';

type Lane = { accountId: string; name: string; wants: number };

const lane = (name: string, wants = Infinity): Lane => ({
  accountId: name.charAt(0),
  name,
  wants,
});

/** Which lane is served in each of several calls, one after the other. */
function served(
  lanes: readonly Lane[],
  { calls, max, blocked = [] }: { calls: number; max: number; blocked?: string[] },
): string[] {
  const turns = new Turns<string, Lane>();
  for (const each of lanes) turns.add(each.accountId, each);
  return Array.from({ length: calls }, () => {
    const names: string[] = [];
    turns.serve(max, (each) => {
      if (each.wants === 0) return 'idle';
      if (blocked.includes(each.name)) return 'blocked';
      each.wants -= 1;
      names.push(each.name);
      return 'served';
    });
    return names.join(' ');
  });
}

describe('the lanes that are served', () => {
  test.each([
    [
      'accounts in turn, then lanes',
      [lane('a1'), lane('a2'), lane('a3'), lane('b1')],
      'a1 b1 a2 b1 a3 b1 a1 b1',
    ],
    [
      'one account: its lanes in turn',
      [lane('a1'), lane('a2'), lane('a3')],
      'a1 a2 a3 a1 a2 a3 a1 a2',
    ],
    [
      'a lane that has enough is passed over',
      [lane('a1', 1), lane('a2'), lane('b1', 2)],
      'a1 b1 a2 b1 a2 a2 a2 a2',
    ],
    ['nobody wants more', [lane('a1', 1), lane('b1', 2)], 'a1 b1 b1'],
  ])('%s', (_what, lanes, order) => {
    expect(served(lanes, { calls: 1, max: 8 })).toEqual([order]);
  });

  test('the next call continues where the last one ended', () => {
    const lanes = [lane('a1'), lane('a2'), lane('b1'), lane('c1')];
    expect(served(lanes, { calls: 3, max: 2 })).toEqual(['a1 b1', 'c1 a2', 'b1 c1']);
  });

  test('a blocked lane is not served, keeps its turn and delays no other lane', () => {
    const lanes = [lane('a1'), lane('a2'), lane('b1'), lane('c1', 1)];
    const blocked = ['a1', 'b1'];
    expect(served(lanes, { calls: 2, max: 3, blocked })).toEqual(['a2 c1 a2', 'a2 a2 a2']);
  });
});

test('a hundred lanes of an account count as much as one of another', () => {
  const many = Array.from({ length: 100 }, (_, number) => lane(`a${number}`));
  const [names = ''] = served([...many, lane('b')], { calls: 1, max: 50 });
  expect(names.split(' ').filter((name) => name === 'b')).toHaveLength(25);
});

test('an item that is done or was deleted gets no more turns', () => {
  const turns = new Turns<string, string>();
  for (const name of ['a1', 'a2', 'b1']) turns.add(name.charAt(0), name);
  turns.delete('b', 'b1');
  expect([turns.size, turns.countOf('a'), turns.countOf('b')]).toEqual([1, 2, 0]);
  const names: string[] = [];
  turns.serve(Infinity, (name) => {
    names.push(name);
    return 'done';
  });
  expect(names).toEqual(['a1', 'a2']);
  expect(turns.size).toBe(0);
});
