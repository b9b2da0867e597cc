import type { APIRequestContext, Page } from '@playwright/test';
import type { Service } from '../../helpers/fixture-types.ts';

/** The target of an act. */
export type Target = { name: string; uuid: string };

/** What a journey can reach. */
export type World = {
  /** The open tab. A journey that closes it opens another one. */
  page: Page;
  service: Service;
  api: APIRequestContext;
  request: APIRequestContext;
  named: (word: string) => string;
  givenApiKey: () => Promise<Target & { token: string }>;
  givenWebhook: (webhook?: { isActive: boolean; hasSecret: boolean }) => Promise<Target>;
};
