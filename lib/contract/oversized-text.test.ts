import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventDataOf, eventTypes, testEventType } from './events/events.ts';
import { allRoutes } from './routes.ts';
import { routeInput } from './route-input.ts';
import { testWebhookInput } from './events/test-events.ts';
import { inputPlaces, isText, type InputPlace } from '../testing/input-places.ts';
import { worstTexts } from '../testing/worst-texts.ts';

const megabyte = 1_048_576;

/** From short to long, so that a slow place is found before it takes an hour. */
const lengths = [16_384, megabyte];
const longTexts = lengths.flatMap((length) => [...worstTexts(length)]);
const maxCpuMs = 20;

const inputs = allRoutes.flatMap((route) => {
  const { bodyDraft, ...whole } = route;
  return [route, ...(bodyDraft ? [whole] : [])].map((read) => {
    const schema = routeInput(read);
    const input = read === whole ? `${route.name}, as the service reads it` : route.name;
    return { input, schema, places: inputPlaces(schema) };
  });
});

/** What a test sends is described by the type of its event, not by the fields of the input. */
const testEvents = ([...eventTypes, testEventType] as const).map((type) => ({
  input: `the data of a test of ${type}`,
  schema: testWebhookInput,
  places: inputPlaces(z.object({ type: z.literal(type), data: eventDataOf(type) })),
}));

describe('reading a text of a megabyte, regardless of its content, takes at most 20 ms of CPU time', () => {
  test.each([...inputs, ...testEvents])(
    'anywhere in the input of $input',
    ({ schema, places }) => {
      expect(findSlowPlaces(places, (input) => schema.safeParse(input).error?.issues)).toEqual([]);
    },
    60_000,
  );
});

describe('a text that is too long is refused with a sentence that names the limit', () => {
  const texts = inputs.flatMap(({ input, schema, places }) =>
    places
      .filter((place) => isText(place.schema))
      .map((place) => ({ where: `${place.path} of ${input}`, schema, place })),
  );

  test.each(texts)('$where', ({ schema, place }) => {
    const { error } = schema.safeParse(place.put('x'.repeat(megabyte)));
    expect(error?.issues.map(({ message }) => message).join('\n')).toMatch(
      /\b(?:at most \d+|1 to 255 visible ASCII|36|four) characters/,
    );
  });
});

/** The texts of a megabyte that take 20 ms of CPU time or more to read at one of these places. */
function findSlowPlaces(
  places: readonly InputPlace[],
  read: (input: unknown) => unknown,
): string[] {
  const slow = new Map<string, string>();
  for (const place of places) {
    for (const [name, text] of longTexts) {
      const found = `${name} at ${place.path || 'the top'}`;
      if (slow.has(found)) continue;
      const input = place.put(text);
      const ms = cpuMsOf(() => read(input), maxCpuMs);
      if (ms >= maxCpuMs) slow.set(found, `${found}: ${ms.toFixed(0)} ms for ${text.length} units`);
    }
  }
  return [...slow.values()];
}

/**
 * How many milliseconds of this thread's time the call takes, however busy the machine is. Returns
 * the minimum of ten runs, or the first below `enoughMs`: time for the garbage collector, the
 * compiler or another thread on the same core says nothing about the call.
 */
function cpuMsOf(call: () => unknown, enoughMs: number): number {
  let least = Infinity;
  for (let tries = 0; tries < 10 && least >= enoughMs; tries += 1) {
    const before = process.threadCpuUsage();
    call();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
