import { useId } from 'react';
import type { WebhookStatistics } from '#lib/contract/webhooks/webhook-statistics.ts';
import { formatCount } from '#lib/count.ts';
import { partStyles } from '../chart/bar-parts.ts';
import { statisticsWindows } from '#components/shell/chart/statistics-windows.ts';
import { type ResponseRow, toResponseRows } from './to-response-rows.ts';

/** How many attempts got which response, and how many did in the same span of time before. */
export function ResponseTable({ statistics }: { statistics: WebhookStatistics }) {
  const id = useId();
  const rows = toResponseRows(statistics);
  const { short, before } = statisticsWindows[statistics.window];
  const hasPrevious = statistics.previous !== null;
  const maxAttempts = Math.max(...rows.map(({ attempts }) => attempts));
  return (
    <section aria-labelledby={id} className="mt-8 max-w-160">
      <h3 id={id} className="mb-2 font-medium">
        Responses, {short}
      </h3>
      <table aria-labelledby={id} className="w-full border-collapse text-small">
        <thead>
          <tr className="text-micro text-ink-3">
            <th scope="col" colSpan={2} className="pb-1 text-left font-medium">
              Response
            </th>
            <th scope="col" className="w-20 pb-1 pl-4 text-right font-medium">
              Attempts
            </th>
            {hasPrevious && (
              <th
                scope="col"
                className="w-28 pb-1 pl-4 text-right font-medium first-letter:uppercase"
              >
                {before}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label}>
              <th scope="row" className="w-36 py-[3px] pr-3 text-left font-normal max-sm:w-28">
                {row.label}
              </th>
              <td aria-hidden>
                <Bar row={row} maxAttempts={maxAttempts} />
              </td>
              <td className="pl-4 text-right tabular-nums">{formatCount(row.attempts)}</td>
              {row.before !== null && (
                <td className="pl-4 text-right text-ink-3 tabular-nums">
                  {formatCount(row.before)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Bar({
  row: { isSuccess, attempts },
  maxAttempts,
}: {
  row: ResponseRow;
  maxAttempts: number;
}) {
  if (attempts === 0) return null;
  const part = isSuccess === null ? 'waiting' : isSuccess ? 'delivered' : 'failed';
  return (
    <div
      style={{ width: `${(attempts / maxAttempts) * 100}%` }}
      className={`h-1.5 min-w-[3px] rounded-[2px] ${partStyles[part].color}`}
    />
  );
}
