import { createContext, type ReactNode, use, useCallback, useState } from 'react';

/** A read that failed by an outage or a rate limit, and that will be tried again. */
export type FailedRead = {
  /** When it failed, as a Unix time in milliseconds. */
  failedAt: number;
  /** For how many seconds a rate limit lasts. Null: it failed because the service is away. */
  rateLimitSeconds: number | null;
  requestId?: string | undefined;
  /** When the data that is still shown was read, as a Unix time in milliseconds. */
  shownSince?: number | undefined;
  /** Tries again. Settles when that has succeeded or failed. */
  readAgain: () => Promise<unknown>;
};

/** Sets or, with null, removes the failed read with an id. */
export type ReportFailedRead = (id: string, failed: FailedRead | null) => void;

const FailedReads = createContext<readonly FailedRead[]>([]);
const Report = createContext<ReportFailedRead | null>(null);

/** Collects the failed reads of the page, so that one notice reports and retries all of them. */
export function FailedReadsProvider({ children }: { children: ReactNode }) {
  const [failedReads, setFailedReads] = useState<ReadonlyMap<string, FailedRead>>(new Map());
  const report = useCallback<ReportFailedRead>((id, failed) => {
    setFailedReads((before) => {
      const after = new Map(before);
      if (failed === null) after.delete(id);
      else after.set(id, failed);
      return after;
    });
  }, []);
  return (
    <Report value={report}>
      <FailedReads value={[...failedReads.values()]}>{children}</FailedReads>
    </Report>
  );
}

export function useFailedReads(): readonly FailedRead[] {
  return use(FailedReads);
}

export function useReportFailedRead(): ReportFailedRead {
  const report = use(Report);
  if (report === null)
    throw new Error('useReportFailedRead must be used within FailedReadsProvider.');
  return report;
}
