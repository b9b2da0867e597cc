import type { BrowserContext, TestInfo } from '@playwright/test';

/** Attaches a picture of the failure. Neither the picture nor the report contains a secret. */
export async function reportFailure(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  // First, because pictures of a page that no longer responds may exceed the time of the test.
  redactErrors(testInfo);
  for (const [index, page] of context.pages().entries()) {
    // Otherwise the report would describe the page as it is.
    if ((await page.locator('[data-secret]').count()) > 0) await page.close();
    else await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
  }
  redactErrors(testInfo);
}

function redactErrors({ errors }: TestInfo): void {
  for (const error of errors) {
    for (const [name, value] of Object.entries(error)) {
      if (typeof value === 'string') Object.assign(error, { [name]: redact(value) });
    }
  }
}

/**
 * A report may quote what a page showed, but without tokens, secrets, links, recovery codes and
 * keys of authenticator apps.
 */
function redact(text: string): string {
  return text
    .replace(/(sk_live|whsec)_[0-9A-Za-z+/=]{8,}/g, '$1_[redacted]')
    .replace(/#[\w-]{43}(?![\w-])/g, '#[redacted]')
    .replace(/otpauth:[^\s"]+/g, 'otpauth:[redacted]')
    .replace(/(?<!\w)(?:[A-Z2-7]{4} ?){7}[A-Z2-7]{4}(?!\w)/g, '[redacted]')
    .replace(/(?<![\w-])(?:[a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}(?![\w-])/g, '[redacted]');
}
