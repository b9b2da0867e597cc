import type { Config } from '../config/load-config.ts';

/** The address of a page of an account in the dashboard, for mails. `page` as in `settings/webhooks/7`. */
export function dashboardLink(
  { config }: { config: Pick<Config, 'publicUrl'> },
  accountId: string,
  page: string,
): string {
  return `${config.publicUrl.origin}/a/${accountId}/${page}`;
}
