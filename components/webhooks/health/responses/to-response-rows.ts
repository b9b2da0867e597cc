import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { attemptResult } from '../../delivery/describe-attempt.ts';

/** Attempts with the same response, in the words of the list of attempts. */
export type ResponseRow = {
  label: string;
  /** Null for responses of several kinds. */
  isSuccess: boolean | null;
  attempts: number;
  /** Null if there is nothing to compare with. */
  before: number | null;
};

type ResponseStatistics = Pick<
  WebhookStatistics,
  'responses' | 'delivered' | 'failed' | 'previous'
>;

/** The rows of the table of responses. Kinds of errors with the same label are one row. */
export function toResponseRows(statistics: ResponseStatistics): ResponseRow[] {
  const rows = new Map<string, ResponseRow>();
  for (const {
    status_code: code,
    error,
    attempts,
    attempts_before: before,
  } of statistics.responses) {
    const kind = error === null ? null : { kind: error, message: '' };
    const { label, isSuccess } = attemptResult({ status_code: code, error: kind });
    const same = rows.get(label);
    rows.set(label, {
      label,
      isSuccess,
      attempts: attempts + (same?.attempts ?? 0),
      before: before === null ? null : before + (same?.before ?? 0),
    });
  }
  const named = [...rows.values()].toSorted((a, b) => b.attempts - a.attempts);
  const others = otherResponses(statistics, named);
  return others.attempts > 0 || (others.before ?? 0) > 0 ? [...named, others] : named;
}

/** The responses that the service does not name, because there are too many. */
function otherResponses(
  { delivered, failed, previous }: ResponseStatistics,
  named: readonly ResponseRow[],
): ResponseRow {
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    label: 'Others',
    isSuccess: null,
    attempts: delivered + failed - sum(named.map(({ attempts }) => attempts)),
    before:
      previous &&
      previous.delivered + previous.failed - sum(named.map(({ before }) => before ?? 0)),
  };
}
