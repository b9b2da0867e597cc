import 'server-only';
import { publicUrl } from '#lib/paths/public-url.ts';
import packageFile from '#package.json' with { type: 'json' };

/** The host name and the version, for the footer of the sign-in and set-up pages. */
export function serverInfo(): { host: string; version: string } {
  return { host: new URL(publicUrl()).host, version: packageFile.version };
}
