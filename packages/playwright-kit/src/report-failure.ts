import type { BrowserContext, TestInfo } from '@playwright/test';
import { redactError } from './redact.ts';

/**
 * Attaches a picture of the failure. Neither the picture nor the report contains a secret.
 *
 * @param known more texts that the report must not contain
 */
export async function reportFailure(
  context: BrowserContext,
  testInfo: TestInfo,
  known: readonly string[],
): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  const contexts = context.browser()?.contexts() ?? [context];
  const cookies = (await Promise.all(contexts.map(async (each) => await each.cookies()))).flat();
  const secrets = [
    ...known,
    ...cookies.filter(({ httpOnly }) => httpOnly).map(({ value }) => value),
  ].flatMap((secret) => [secret, decodeURIComponent(secret)]);
  // First, because pictures of a page that no longer responds may exceed the time of the test.
  redactErrors(testInfo, secrets);
  const pages = contexts.flatMap((each) => each.pages());
  for (const [index, page] of pages.entries()) {
    // Otherwise the report would describe the page as it is.
    if ((await page.locator('[data-secret]').count()) > 0) await page.close();
    else await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
  }
}

/** Redacts the errors of a test, and those that a closed page causes after the test timed out. */
function redactErrors({ errors }: TestInfo, secrets: readonly string[]): void {
  for (const error of errors) redactError(error, secrets);
  errors.push = (...added) => {
    for (const error of added) redactError(error, secrets);
    return Array.prototype.push.apply(errors, added);
  };
}
