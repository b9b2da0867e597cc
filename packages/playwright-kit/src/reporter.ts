import type { Reporter, TestCase, TestResult, TestStep } from '@playwright/test/reporter';
import { redactError } from './redact.ts';

/**
 * Removes tokens, secrets and session cookies from the errors of steps, which the fixtures cannot
 * change. The reporters after it get the steps without them.
 */
// oxlint-disable-next-line import/no-default-export -- Playwright loads reporters so
export default class RedactingReporter implements Reporter {
  printsToStdio(): boolean {
    return false;
  }

  onStepEnd(_test: TestCase, _result: TestResult, { error }: TestStep): void {
    if (error) redactError(error);
  }
}
