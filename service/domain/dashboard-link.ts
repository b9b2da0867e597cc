import type { Config } from '../config/load-config.ts';

/** The URL of an account's page, for emails. `page` is like `settings/webhooks/7`. */
export function dashboardLink(
  { config }: { config: Pick<Config, 'publicUrl'> },
  accountId: string,
  page: string,
): string {
  return `${config.publicUrl.origin}/a/${accountId}/${page}`;
}
