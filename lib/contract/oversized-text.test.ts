import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventDataOf, eventTypes, testEventType } from './events/events.ts';
import { dashboardRoutes, publicRoutes } from './routes.ts';
import { routeInput } from './route-input.ts';
import { testWebhookInput } from './events/test-events.ts';
import { inputPlaces, isText } from './testing/input-places.ts';
import { findSlowPlaces } from './testing/slow-places.ts';

const megabyte = 1_048_576;

const inputs = [...publicRoutes, ...dashboardRoutes].flatMap((route) => {
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

describe('reading a text of a megabyte, whatever its content, takes at most 20 ms of CPU time', () => {
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
