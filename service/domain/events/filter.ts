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
  if (stepsOf(rule, sizesFor(rule, payload)) > filterLimits.steps) {
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

/** The largest values that a part of a rule can have. */
type Sizes = { longestList: number; textLength: number };

/** Values of the rule count too: a default of `var`, or a branch of `if`, can be a list or text. */
function sizesFor(rule: FilterRule, payload: FilteredPayload): Sizes {
  return {
    longestList: Math.max(payload.longestList, longestListIn(rule)),
    textLength: payload.textLength + JSON.stringify(rule).length,
  };
}

/** Comparing this many pairs of characters counts as a step, and so does reading this many. */
const charactersPerStep = 1000;

/** The operators that read no texts. */
const selecting = ['var', 'and', 'or', 'if', '!', '!!'];

/** How many steps a rule can need at most: one for each value, as often as it is evaluated. */
function stepsOf(value: unknown, sizes: Sizes): number {
  const sum = (values: readonly unknown[]) =>
    values.reduce<number>((total, each) => total + stepsOf(each, sizes), 1);
  if (Array.isArray(value)) return sum(value);
  const rule = readRule(value);
  if (rule === null) return 1;
  const { operator, values } = rule;
  const [first, second] = values;
  if (listOperators.includes(operator)) {
    const times = Array.isArray(first) ? first.length : sizes.longestList;
    return sum([first]) + times * stepsOf(second, sizes);
  }
  if (selecting.includes(operator)) return sum(values);
  const lengths = values.map((each) => textLengthOf(each, sizes));
  const read = lengths.reduce((total, length) => total + length, 0);
  // A text is searched in another one.
  const isSearch = operator === 'in' && !Array.isArray(second);
  const pairs = isSearch ? (lengths[0] ?? 0) * (lengths[1] ?? 0) : 0;
  return sum(values) + Math.ceil((pairs + read) / charactersPerStep);
}

/** The length of a value as a text, at most. */
function textLengthOf(value: unknown, sizes: Sizes): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) {
    return value.reduce<number>((total, each) => total + 1 + textLengthOf(each, sizes), 0);
  }
  return readRule(value) === null ? 1 : sizes.textLength;
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
