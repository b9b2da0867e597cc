import { errorCode } from './error-code.ts';
import { StartError } from './start-error.ts';

/** What a check found: `says` has what is the case and, unless it is `ok`, what to do about it. */
export type Finding = { about: string; state: 'ok' | 'note' | 'wrong'; says: string };

/** A failure becomes a finding: it explains itself, or gets the reason and the advice. */
export async function findingOf(
  about: string,
  advice: string,
  check: () => Promise<Omit<Finding, 'about'> | string>,
): Promise<Finding> {
  try {
    const found = await check();
    return { about, ...(typeof found === 'string' ? { state: 'ok', says: found } : found) };
  } catch (error) {
    if (error instanceof StartError) return { about, state: 'wrong', says: error.message };
    return { about, state: 'wrong', says: `${reasonOf(error)}. ${advice}` };
  }
}

export const wrong = (says: string) => ({ state: 'wrong' as const, says });

export const note = (says: string) => ({ state: 'note' as const, says });

/** The innermost cause: `fetch` hides that a connection was refused in one. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  const text = error.message === '' ? (errorCode(error) ?? error.name) : error.message;
  return text.replace(/\.$/, '');
}
