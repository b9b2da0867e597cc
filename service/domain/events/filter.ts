import jsonLogic, { type RulesLogic } from 'json-logic-js';
import {
  filterLimits,
  listOperators,
  readRule,
  type FilterRule,
} from '#lib/contract/webhooks/filter-rule.ts';

/** Whether a filter lets an event through. If it cannot be evaluated, it does. */
export type FilterResult = {
  isSent: boolean;
  /** The part of the rule that decided it, in words; null if it was not evaluated. */
  clause: string | null;
  /** Why it was not evaluated; null if it was. */
  error: string | null;
};

/** The body of an event, as filters read it. */
export type FilteredPayload = { value: unknown; textLength: number; longestList: number };

export function readPayload(payload: string): FilteredPayload {
  const value: unknown = JSON.parse(payload);
  return { value, textLength: payload.length, longestList: longestListIn(value) };
}

function longestListIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Math.max(own, ...Object.values(value).map(longestListIn));
}

/**
 * Evaluates a filter that was checked when it was stored. Never throws. How many steps it can need
 * is computed before it is evaluated, because the library has no limit.
 */
export function evaluateFilter(rule: FilterRule, payload: FilteredPayload): FilterResult {
  if (stepsOf(rule, payload) > filterLimits.steps) {
    const steps = filterLimits.steps.toLocaleString('en');
    return { isSent: true, clause: null, error: `It can need more than ${steps} steps.` };
  }
  try {
    const isSent = isTrue(rule, payload.value);
    return { isSent, clause: describeClause(decisiveClause(rule, payload.value)), error: null };
  } catch {
    const error = 'An operator cannot be applied to the values of this event.';
    return { isSent: true, clause: null, error };
  }
}

function isTrue(rule: unknown, data: unknown): boolean {
  return jsonLogic.truthy(jsonLogic.apply(rule as RulesLogic, data));
}

/** Comparing this many pairs of characters counts as a step. */
const charactersPerStep = 1000;

/** How many steps a rule can need at most: one for each value, as often as it is evaluated. */
function stepsOf(value: unknown, payload: FilteredPayload): number {
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, each) => total + stepsOf(each, payload), 1);
  if (Array.isArray(value)) return sum(value);
  const rule = readRule(value);
  if (rule === null) return 1;
  const { operator, values } = rule;
  const [first, second] = values;
  if (listOperators.includes(operator)) {
    const times = Array.isArray(first) ? first.length : payload.longestList;
    return sum([first]) + times * stepsOf(second, payload);
  }
  // A text is searched in another one.
  const compared =
    operator === 'in' ? textLengthOf(first, payload) * textLengthOf(second, payload) : 0;
  return sum(values) + Math.ceil(compared / charactersPerStep);
}

/** The length of a value if it is a text; that of the payload, if that is not known. */
function textLengthOf(value: unknown, { textLength }: FilteredPayload): number {
  if (typeof value === 'string') return value.length;
  return readRule(value) === null ? 1 : textLength;
}

/**
 * The part of a rule that decides its result: of an `and` the first condition that is false, of an
 * `or` the first one that is true.
 */
function decisiveClause(value: unknown, data: unknown): unknown {
  const rule = readRule(value);
  if (rule === null || !['and', 'or'].includes(rule.operator)) return value;
  const index = rule.values.findIndex((each) => isTrue(each, data) === (rule.operator === 'or'));
  return index === -1 ? value : decisiveClause(rule.values[index], data);
}

const longestClause = 200;

function describeClause(clause: unknown): string {
  const words = inWords(clause);
  return words.length > longestClause ? `${words.slice(0, longestClause - 1)}…` : words;
}

function inWords(value: unknown): string {
  const rule = readRule(value);
  if (rule === null) return JSON.stringify(value);
  const { operator, values } = rule;
  const [path] = values;
  if (operator === 'var' && values.length === 1) return path === '' ? 'item' : (path as string);
  const parts = values.map((each) => {
    const inner = readRule(each)?.operator;
    return inner === 'and' || inner === 'or' ? `(${inWords(each)})` : inWords(each);
  });
  const isBetween = values.length > 1 && /^(?:and|or|in|[=!<>+\-*/%]+)$/.test(operator);
  return isBetween ? parts.join(` ${operator} `) : `${operator}(${parts.join(', ')})`;
}
