import { describe, expect, test } from 'vitest';
import { findPasswordWeakness } from './password-weakness.ts';

const own = [
  'ada.lovelace@analytical-engines.example',
  'Ada Lovelace',
  'Hopper & Daughters',
  `ann-${'0123456789ab'.repeat(4)}@example.com`,
];

describe('a password is refused', () => {
  test.each([
    ['that many people have', 'password1234', /most common/],
    ['that many people have, in disguise', 'P@ssw0rd1234', /most common/],
    ['that is the email address', 'ada.lovelace@analytical-engines.example', /email address/],
    ['that is part of the email address', 'analytical-engines', /email address/],
    ['that is the own name and a year', 'AdaLovelace2026', /your name/],
    ['that is the name of the account', 'hopper&daughters', /your name/],
    ['that is the name of the product', 'Conversation Service 1', /name of this service/],
    ['that is one character', 'x'.repeat(128), /repeats itself/],
    ['that is one word, many times', 'letmein'.repeat(18), /repeats itself/],
    ['that goes along the keyboard', 'qwertyuiop[]', /keyboard|most common/],
    ['that goes along the alphabet', 'abcdefghijklmnop', /alphabet/],
    ['that is a date', '31.12.1999xx', /date/],
    ['that is a common word and a year', 'Summer2026!!', /easy to guess/],
    [
      'that is the name of the product, in disguise',
      'c0nversation-serv1ce',
      /name of this service/,
    ],
    [
      'that is a long email address',
      `ann-${'0123456789ab'.repeat(4)}@example.com`,
      /email address/,
    ],
  ])('%s', async (_, password, reason) => {
    expect(await findPasswordWeakness(password, own)).toMatch(reason);
  });
});

describe('a password is accepted', () => {
  test.each([
    ['of words that have nothing to do with each other', 'correct horse battery'],
    ['in another script', 'лошадь батарея скрепка верно'],
    ['that holds an own word among others', 'ada never eats green umbrellas'],
    ['drawn at random', 'k3Vq-9xTb-Lw2m'],
    ['longer than what is estimated', 'nine words are a good password '.repeat(4)],
  ])('%s', async (_, password) => {
    expect(await findPasswordWeakness(password, own)).toBeNull();
  });
});

test.each([
  ['digits', '0123456789'],
  ['leet', '4@8({[<369&#!/1|0$5+7%2'],
  ['common passwords in disguise', 'p@$$w0rd'],
  ['dates', '01/02/1999'],
  ['keys', '1qaz2wsx3edc'],
])('the slowest case of %s is estimated in 100 ms of CPU time', async (_, part) => {
  const password = part.repeat(128).slice(0, 128);
  await findPasswordWeakness('read the lists first', own);
  const costs: number[] = [];
  while (costs.length < 3) {
    const before = process.threadCpuUsage();
    await findPasswordWeakness(password, own);
    costs.push(process.threadCpuUsage(before).user / 1000);
  }
  expect(Math.min(...costs)).toBeLessThan(100);
});
