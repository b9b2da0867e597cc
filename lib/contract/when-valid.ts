import { z } from 'zod';

/**
 * The condition under which a rule about several fields of an object is checked: these fields are
 * valid, no matter what is wrong with the others. By default such a rule is checked only once
 * nothing else is wrong, so that a caller learns of the errors one after the other.
 */
export function whenValid(shape: z.ZodRawShape): {
  when: (payload: { value: unknown }) => boolean;
} {
  const fields = z.object(shape);
  return { when: ({ value }) => fields.safeParse(value).success };
}
