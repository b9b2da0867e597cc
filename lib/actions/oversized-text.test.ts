import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inputPlaces, isText } from '../contract/testing/input-places.ts';
import { findSlowPlaces } from '../contract/testing/slow-places.ts';
import { actionArguments } from './action-arguments.ts';

const folder = new URL('.', import.meta.url);
const actions = Object.entries(actionArguments).map(([action, schema]) => ({ action, schema }));

test('the arguments of every server action are known, so that none is read unchecked', () => {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((source) => source.startsWith("'use server';"));
  const exported = sources.flatMap((source) =>
    [...source.matchAll(/^export async function (\w+)/gm)].map(([, name]) => name),
  );
  expect(exported.length).toBeGreaterThan(0);
  expect(new Set(exported)).toEqual(new Set(Object.keys(actionArguments)));
});

describe('reading a text of a megabyte, whatever its content, takes at most 20 ms of CPU time', () => {
  test.each(actions)(
    'anywhere in the arguments of $action',
    ({ schema }) => {
      const places = inputPlaces(schema);
      expect(findSlowPlaces(places, (input) => schema.safeParse(input).error?.issues)).toEqual([]);
    },
    60_000,
  );
});

describe('a text that is too long is refused with a sentence that names the limit', () => {
  const texts = actions.flatMap(({ action, schema }) =>
    inputPlaces(schema)
      .filter((place) => isText(place.schema))
      .map((place) => ({ where: `${action}, ${place.path}`, schema, place })),
  );

  test.each(texts)('$where', ({ schema, place }) => {
    const { error } = schema.safeParse(place.put('x'.repeat(1_048_576)));
    expect(error?.issues.map(({ message }) => message).join('\n')).toMatch(
      /\b(?:at most \d+|36|four) characters/,
    );
  });
});
