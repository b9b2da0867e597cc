import { z } from 'zod';
import { bytesInJson, hasNoControlCharacter } from '../fields/plain-text.ts';
import { sampleFilter } from '../samples.ts';

/** A rule of JSON Logic: an operator with its values, which can be rules themselves. */
export type FilterRule = Readonly<Record<string, unknown>>;

/** What one filter may consist of, and what it may cost for each event. */
export const filterLimits = { bytes: 4096, depth: 10, operators: 100, steps: 10_000 };

const comparisons = ['==', '===', '!=', '!==', '>', '>=', '<', '<='] as const;
const arithmetic = ['+', '-', '*', '/', '%', 'min', 'max'] as const;

/** The operators that go through a list: its first value. */
export const listOperators = ['some', 'all', 'none'];

/**
 * The operators of JSON Logic that a filter may use, with the least and the largest number of
 * values. Those that build lists and texts are left out: their results can grow beyond any limit.
 */
const operators = new Map<string, readonly [number, number]>([
  ['var', [1, 2]],
  ...comparisons.map((name) => [name, [2, 2]] as const),
  ...['<', '<='].map((name) => [name, [2, 3]] as const),
  ['in', [2, 2]],
  ['substr', [2, 3]],
  ['!', [1, 1]],
  ['!!', [1, 1]],
  ['and', [1, filterLimits.operators]],
  ['or', [1, filterLimits.operators]],
  ['if', [3, filterLimits.operators]],
  ...listOperators.map((name) => [name, [2, 2]] as const),
  ...arithmetic.map((name) => [name, [1, filterLimits.operators]] as const),
]);

/** The operator of a rule and its values; null for any other value. */
export function readRule(value: unknown): { operator: string; values: unknown[] } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const [operator] = Object.keys(value);
  if (operator === undefined) return null;
  const given: unknown = Object.values(value)[0];
  return { operator, values: Array.isArray(given) ? given : [given] };
}

/** What is wrong with a rule; null if it can be evaluated. */
function findRuleProblem(rule: FilterRule): string | null {
  let count = 0;
  function check(value: unknown, depth: number): string | null {
    if (depth > filterLimits.depth) return `Nest at most ${filterLimits.depth} levels.`;
    if (Array.isArray(value)) return firstProblem(value, depth);
    if (typeof value === 'string') return hasPlainText(value) ? null : textAdvice;
    if (typeof value === 'number') return Number.isFinite(value) ? null : 'Use smaller numbers.';
    const read = readRule(value);
    if (read === null) return typeof value === 'object' && value !== null ? oneOperator : null;
    const { operator, values } = read;
    if (Object.keys(value as object).length > 1) return oneOperator;
    const range = operators.get(operator);
    if (range === undefined) return `${quoted(operator)} is not an operator. ${supported}`;
    count += 1;
    if (count > filterLimits.operators) return `Use at most ${filterLimits.operators} operators.`;
    const [least, most] = range;
    if (values.length < least || values.length > most) {
      const number = least === most ? `${least}` : `${least} to ${most}`;
      return `${operator} takes ${number} ${most === 1 ? 'value' : 'values'}.`;
    }
    if (operator === 'var' && !isPath(values[0])) return pathAdvice;
    return firstProblem(values, depth);
  }
  function firstProblem(values: readonly unknown[], depth: number): string | null {
    for (const value of values) {
      const problem = check(value, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  }
  const problem = Object.keys(rule).length === 0 ? objectAdvice : check(rule, 1);
  if (problem !== null) return problem;
  const isTooLarge = bytesInJson(rule) > filterLimits.bytes;
  return isTooLarge ? `Use at most ${filterLimits.bytes} bytes in UTF-8, as JSON.` : null;
}

const oneOperator = 'Use an object with exactly one operator for each rule.';
const supported = `Use one of: ${[...operators.keys()].join(', ')}.`;
const textAdvice = 'Remove control characters and halves of surrogate pairs from texts.';
const pathAdvice =
  'var takes the path of a field, such as data.message.author, and a value for events without it.';

function quoted(operator: string): string {
  return `“${operator.slice(0, 20).replaceAll(/[^\w+\-*/%<>=!.?]/g, '?')}”`;
}

function hasPlainText(text: string): boolean {
  // oxlint-disable-next-line browser-floor/supported -- schemas run on the server only
  return hasNoControlCharacter(text) && text.isWellFormed();
}

/** Names that every object has are no fields of the payload. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && value.split('.').every((name) => !(name in Object.prototype));
}

const objectAdvice = `Use a JSON object with one operator, such as ${JSON.stringify(sampleFilter)}.`;

export const filterRule = z
  .record(z.string(), z.unknown(), { error: objectAdvice })
  .superRefine((rule, context) => {
    const problem = findRuleProblem(rule);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    id: 'Filter',
    description: `A rule of JSON Logic (jsonlogic.com), which is evaluated on the body that would be sent: \`type\`, \`timestamp\` and \`data\`. Operators: ${[...operators.keys()].map((name) => `\`${name}\``).join(', ')}. At most ${filterLimits.bytes.toLocaleString('en')} bytes as JSON, ${filterLimits.operators} operators and ${filterLimits.depth} levels.`,
    examples: [sampleFilter],
  });

export const givenFilter = filterRule
  .nullable()
  .optional()
  .describe(
    'Which events are sent: those for which this rule of JSON Logic is true. If it cannot be evaluated for an event, or needs more than 10,000 steps, the event is sent and its delivery has the reason in `filter_error`. Tests, and events that someone sends, are sent in any case. Null: every event is sent.',
  );
