import type { BrowserContext, TestInfo } from '@playwright/test';
import { redact } from './redact.ts';

/** Attaches a picture of the failure. Neither the picture nor the report contains a secret. */
export async function reportFailure(context: BrowserContext, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) return;
  for (const [index, page] of context.pages().entries()) {
    // Otherwise the report would describe the page as it is.
    if ((await page.locator('[data-secret]').count()) > 0) await page.close();
    else await page.screenshot({ path: testInfo.outputPath(`page-${index + 1}.png`) });
  }
  for (const error of testInfo.errors) {
    for (const [name, value] of Object.entries(error)) {
      if (typeof value === 'string') Object.assign(error, { [name]: redact(value) });
    }
  }
}
