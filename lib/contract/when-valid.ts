import { z } from 'zod';

/** When a rule about several fields is checked: when these are valid, whatever else is wrong. */
export function whenValid(shape: z.ZodRawShape): {
  when: (payload: { value: unknown }) => boolean;
} {
  const fields = z.object(shape);
  return { when: ({ value }) => fields.safeParse(value).success };
}
