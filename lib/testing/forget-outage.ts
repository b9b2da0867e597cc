import { vi } from 'vitest';
import { reportReachable } from '../api/report-unreachable.ts';

/** Ends a reported outage, so that a later test is not told that the outage of this one is over. */
export function forgetOutage(): void {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  reportReachable();
  info.mockRestore();
}
