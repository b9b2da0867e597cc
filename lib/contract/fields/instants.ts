import { z } from 'zod';
import { rawText } from './bounded-text.ts';

const instantAdvice = 'Use ISO 8601 with a zone, as 2027-01-31T12:00:00+00:00';
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const yearAdvice = 'Use a date from the year 0001 to the year 9999, in UTC.';
const earliestTime = Date.parse('0001-01-01T00:00:00.000Z');
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * An instant from a client: ISO 8601 with an offset or `Z`. In UTC it lies in the years 1 to 9999:
 * PostgreSQL knows no year 0, and beyond the end the format needs a fifth digit.
 */
export const instantField = asInstant(instantText());

/**
 * The same in a query string, where a `+` that is not encoded means a space. It is read as the `+`
 * of the offset, so that times can be sent as the API writes them.
 */
export const queryInstant = asInstant(
  instantText().overwrite((text) => text.replace(/ (\d{2}:\d{2})$/, '+$1')),
);

function instantText(): z.ZodString {
  return rawText(64, {
    error: `${instantAdvice}.`,
    tooLong: `${instantAdvice}, in at most 64 characters.`,
  });
}

function asInstant(text: z.ZodString): z.ZodString {
  return text
    .refine((given) => !/^[+-]?\d{5,}-/.test(given), { error: yearAdvice, abort: true })
    .check(
      z.iso.datetime({
        offset: true,
        error: ({ input }) =>
          instantForm.test(String(input)) ? 'This time does not exist.' : `${instantAdvice}.`,
        abort: true,
      }),
    )
    .refine((given) => {
      const time = Date.parse(given);
      return time >= earliestTime && time <= latestTime;
    }, yearAdvice);
}
