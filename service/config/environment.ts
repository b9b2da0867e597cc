import { readFileSync } from 'node:fs';
import { errorCode } from '../error-code.ts';

/** The process's environment, or a test's. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with the configuration. It never contains a value, which may be a secret. */
export type Problem = { variable: string; reason: string };

/** Directly or as a file. Not if it is empty: compose files pass unset variables that way. */
export function isSet(environment: Environment, name: string): boolean {
  return Boolean(environment[name] || environment[`${name}_FILE`]);
}

/**
 * The text of a variable, which can also be set as `<NAME>_FILE`, the path of a file that contains
 * it. Undefined if it is not set, or if that file cannot be used.
 */
export function readVariable(
  environment: Environment,
  name: string,
): { text: string | undefined } | Problem {
  const direct = environment[name];
  const path = environment[`${name}_FILE`];
  if (direct && path) {
    const reason = `is given twice: as ${name} and as ${name}_FILE. Keep one.`;
    return { variable: name, reason };
  }
  return path ? readFile(`${name}_FILE`, path) : { text: direct || undefined };
}

function readFile(variable: string, path: string): { text: string } | Problem {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { variable, reason: 'names an empty file.' } : { text };
  } catch (error) {
    return { variable, reason: describeUnreadable(errorCode(error) ?? 'unknown error') };
  }
}

function describeUnreadable(code: string): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'names a file that does not exist. Correct the path, or create the file.';
    case 'EISDIR':
      return 'names a folder. Use the path of the file that contains the value.';
    case 'EACCES':
    case 'EPERM':
      return 'names a file that this user may not read. Run as a user who may, or give this user access to it.';
    default:
      return `names a file that cannot be read (${code}). Correct the path, or use another file.`;
  }
}
