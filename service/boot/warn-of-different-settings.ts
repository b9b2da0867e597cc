import type { Config } from '../config/load-config.ts';
import type { SettingName } from '../config/settings.ts';
import type { Db } from '../db/open.ts';
import { replaceSharedSettings } from '../db/stored-settings.ts';
import type { Logger } from '../log/log.ts';

/**
 * Warns if this process has other settings than the one that was started before on the same
 * database. Each process applies its own, for example when it removes old events or writes links
 * into emails, no matter which process a person or a client used.
 */
export async function warnOfDifferentSettings(options: {
  db: Db;
  config: Config;
  log: Logger;
}): Promise<void> {
  const own = sharedSettings(options.config);
  const found = await replaceSharedSettings(options.db, own);
  if (typeof found !== 'object' || found === null) return;
  const before = new Map<string, unknown>(Object.entries(found));
  for (const [variable, value] of Object.entries(own)) {
    if (!before.has(variable) || before.get(variable) === value) continue;
    options.log.warn(
      { variable },
      `${variable} differs from that of the process that was started before. Give all processes the same value.`,
    );
  }
}

/** What all processes must agree on, without any secret. */
function sharedSettings(config: Config): Partial<Record<SettingName, string | number | boolean>> {
  return {
    PUBLIC_URL: config.publicUrl.origin,
    SMTP_URL: config.smtpUrl !== null,
    MAIL_FROM: `${config.mailFrom.name} <${config.mailFrom.address}>`,
    RETENTION_DAYS: config.retentionDays,
    AUDIT_RETENTION_DAYS: config.auditRetentionDays,
    WEBHOOK_ALLOW_HTTP: config.webhookAllowHttp,
    WEBHOOK_ALLOWED_CIDRS: config.webhookAllowedCidrs.toSorted().join(),
    WEBHOOK_PROXY: config.webhookProxy !== null,
  };
}
